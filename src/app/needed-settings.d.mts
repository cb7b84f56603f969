/** What each variable is for. */
export declare const about: Readonly<
  Record<
    | 'PORT'
    | 'HOST'
    | 'DATA_DIR'
    | 'BACKUP_DIR'
    | 'PUBLIC_URL'
    | 'PF_MODE'
    | 'PF_ROLE'
    | 'PF_KEYS'
    | 'PF_SECRET'
    | 'DATABASE_URL'
    | 'DATABASE_DIRECT_URL'
    | 'S3_BUCKET'
    | 'S3_ENDPOINT'
    | 'S3_REGION'
    | 'S3_ACCESS_KEY_ID'
    | 'S3_SECRET_ACCESS_KEY'
    | 'SMTP_URL'
    | 'MAIL_FROM'
    | 'STRIPE_SECRET_KEY'
    | 'STRIPE_PUBLISHABLE_KEY'
    | 'STRIPE_WEBHOOK_SECRET'
    | 'STRIPE_CONNECT_WEBHOOK_SECRET'
    | 'STRIPE_V2_WEBHOOK_SECRET'
    | 'CONTENT_POLICY'
    | 'ASSISTANT_URL'
    | 'ASSISTANT_KEY'
    | 'ASSISTANT_MODEL'
    | 'MAIL_HOOK_SECRET'
    | 'OPERATOR_NAME'
    | 'OPERATOR_EMAIL'
    | 'TRUSTED_PROXIES'
    | 'LOG_LEVEL',
    string
  >
>;

type Given = Readonly<Record<string, string | undefined>>;

/** Whether an installation is certainly meant for the world. */
export declare function isLive(given: Given): boolean;
/** What is missing, one line each. */
export declare function findMissing(given: Given): string[];
/** Variables that nobody reads and whose names are nearly those of ours, one line each. */
export declare function findMistyped(environment: Given): string[];
