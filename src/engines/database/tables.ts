// biome-ignore-all lint: generated
export interface Tables { [table: string]: any }
