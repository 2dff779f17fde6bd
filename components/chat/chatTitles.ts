import { createContext } from 'react';

export interface ChatTitles {
  /** By channel id, for this screen only: a title may name a patient, and the chat service never gets names. */
  titles: ReadonlyMap<string, string>;
  /** Requests the title of a care team that is not the user's own. */
  request: (patientId: number) => void;
  timeZone: string;
}

export const ChatTitlesContext = createContext<ChatTitles>({ titles: new Map(), request: () => {}, timeZone: 'UTC' });
