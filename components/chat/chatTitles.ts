import { createContext } from 'react';

export interface ChatTitles {
  /** By the channel's id, for this screen only: a title may name a patient, which the chat service never sees. */
  titles: ReadonlyMap<string, string>;
  /** Asks for the title of a care team that is not the user's own. */
  ask: (patientId: number) => void;
  timeZone: string;
}

export const ChatTitlesContext = createContext<ChatTitles>({ titles: new Map(), ask: () => {}, timeZone: 'UTC' });
