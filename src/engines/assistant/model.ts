import type OpenAI from 'openai';
import type { Log } from '../engines.ts';
import type { Assistant, AssistantAnswer, AssistantQuestion } from './assistant.ts';

export interface ModelSettings {
  /** Where the server speaks the chat protocol, `https://models.example.com/v1`. */
  url: string;
  key: string;
  model: string;
  log: Log;
  /** How long an answer may take. */
  timeoutMs?: number;
  /** How long an answer may be. */
  mostTokens?: number;
  /** For how long nobody is asked after a failure, so that not everybody waits for a server that is gone. */
  pauseMs?: number;
}

/** Asks a model behind any server that speaks the chat protocol of OpenAI. */
export function openModelAssistant({
  url,
  key,
  model,
  log,
  timeoutMs = 8000,
  mostTokens = 400,
  pauseMs = 30_000,
}: ModelSettings): Assistant {
  let opening: Promise<OpenAI> | undefined;
  // The library is large, so it waits for the first question.
  const open = () => {
    opening ??= import('openai').then(
      ({ OpenAI: Client }) =>
        new Client({ baseURL: url, apiKey: key, timeout: timeoutMs, maxRetries: 0, logLevel: 'off' }),
    );
    return opening;
  };
  let pausedUntilMs = 0;
  return {
    host: new URL(url).host,
    async write(question): Promise<AssistantAnswer> {
      const draft = { by: 'draft', text: question.draft } as const;
      if (performance.now() < pausedUntilMs) return draft;
      try {
        const text = await ask(await open(), { model, mostTokens, timeoutMs }, question);
        return text === '' ? draft : { by: 'model', text };
      } catch (error) {
        pausedUntilMs = performance.now() + pauseMs;
        log.warn(
          { engine: 'assistant', failure: error instanceof Error ? error.name : 'unknown' },
          'no answer of the model',
        );
        return draft;
      }
    },
  };
}

async function ask(
  client: OpenAI,
  { model, mostTokens, timeoutMs }: { model: string; mostTokens: number; timeoutMs: number },
  { message, rules, texts }: AssistantQuestion,
): Promise<string> {
  const { choices } = await client.chat.completions.create(
    {
      model,
      max_completion_tokens: mostTokens,
      messages: [
        { role: 'system', content: `${rules}\n\nHelp texts:\n\n${texts.join('\n\n')}` },
        { role: 'user', content: message },
      ],
    },
    // The client's own limit ends with the headers; this one holds for the body, too.
    { signal: AbortSignal.timeout(timeoutMs) },
  );
  return choices[0]?.message.content?.trim() ?? '';
}
