import { ORPCError } from '@orpc/client';
import { useRef, useState } from 'react';
import { callsOf } from '#wire/client.ts';
import { assistantContract } from '../contract.ts';

const assistant = callsOf('assistant', assistantContract);

export interface ChatMessage {
  id: number;
  text: string;
  isBot: boolean;
  timestamp: Date;
}

export interface Chat {
  messages: readonly ChatMessage[];
  /** An answer is on its way. */
  isWaiting: boolean;
  /** Nothing but the greeting stands there. */
  isNew: boolean;
  /** Sends a question, unless it is blank or another one waits for its answer. */
  ask: (text: string) => Promise<void>;
}

const greetings = {
  visitor:
    "Hi, I'm **Sofia**. Ask me anything about PrivateFans: what it does, what it costs, how it keeps your pictures yours.",
  subscribed: "Hi, I'm **Sofia**. Ask me how something works, or how things stand with your links.",
};

const emptyReply = "I'm here to help! Could you rephrase your question?";
const failure = "I'm sorry, I'm having trouble connecting right now. Please try again in a moment!";

/** A conversation; it lives as long as the page and is kept nowhere. */
export function useChat(isSubscribed: boolean): Chat {
  const count = useRef(0);
  const note = (text: string, isBot: boolean): ChatMessage => ({
    id: ++count.current,
    text,
    isBot,
    timestamp: new Date(),
  });
  const [messages, setMessages] = useState<readonly ChatMessage[]>(() => [
    note(isSubscribed ? greetings.subscribed : greetings.visitor, true),
  ]);
  const [isWaiting, setWaiting] = useState(false);
  const ask = async (text: string) => {
    const message = text.trim();
    if (message === '' || isWaiting) return;
    setWaiting(true);
    setMessages((before) => [...before, note(message, false)]);
    const reply = await callFor(message, isSubscribed);
    setMessages((before) => [...before, note(reply, true)]);
    setWaiting(false);
  };
  return { messages, isWaiting, isNew: messages.length === 1 && !isWaiting, ask };
}

async function callFor(message: string, isAuthenticated: boolean): Promise<string> {
  try {
    const { response } = await assistant.chat.call({ message, isAuthenticated });
    return response || emptyReply;
  } catch (error) {
    // A limit has its own sentence, with the time to wait.
    if (error instanceof ORPCError && error.code === 'RATE_LIMITED') return error.message;
    return isAuthenticated ? failure : `${failure} ❤️`;
  }
}
