import { asFailure, type ApiFailure } from '../lib/browser/client';
import {
  fieldsOf,
  hasHalf,
  saysTheSame,
  storedPart,
  toPlainFields,
  type HandoffFields,
} from '../lib/handoffs/handoffFields';
import type { Handoff } from '../lib/handoffs/schema';
import { createKept, type Kept } from './kept';
import { poll } from './poll';

/** It is stored this long after the last key, and tried again this long after a failure, in milliseconds. */
const saveAfterMs = 2_000;
const retryAfterMs = 5_000;

export interface HandoffDraft {
  /** What is typed, and what the server has. */
  fields: HandoffFields;
  stored: { id: number; version: number; fields: HandoffFields };
  isSaving: boolean;
  failure: ApiFailure | null;
  /** What another user or page has stored meanwhile: the user chooses. */
  conflict: Handoff | null;
}

/** The handoff of one patient that is written on this page; null: none is. */
export interface HandoffKeeper extends Kept<HandoffDraft | null> {
  change: (fields: Partial<HandoffFields>) => void;
  /** Stores what is typed now, and resolves with whether the server has all of it. Never rejects. */
  save: () => Promise<boolean>;
  /** Takes what the server says: the handoff that is written, or null. What is typed and not stored stays. */
  follow: (handoff: Handoff | null) => void;
  /** Ends a conflict with what is typed here, or with the other version. */
  resolve: (keep: 'this' | 'other') => Promise<void>;
  /** Begins without one: it was given or withdrawn here. */
  drop: () => void;
}

/** Returns whether the page holds something that the server does not have. */
export function isUnsavedHandoff({ fields, stored }: Pick<HandoffDraft, 'fields' | 'stored'>): boolean {
  return !saysTheSame(fields, stored.fields) || hasHalf(fields);
}

/** Keeps a handoff on the page, outside of the DOM, and stores it 2 s after the last key, one call at a time. */
export function createHandoffKeeper(userId: number, patientId: number): HandoffKeeper {
  let saving: Promise<boolean> | null = null;
  const kept = createKept<HandoffDraft | null>(null, {
    isUnsaved: (draft) => draft !== null && isUnsavedHandoff(draft),
    send: () => void save(),
  });
  const { read, put, later, cancel } = kept;
  const take = (handoff: Handoff): void => {
    const fields = fieldsOf(handoff);
    const stored = { id: handoff.id, version: handoff.version, fields };
    put({ fields, stored, isSaving: false, failure: null, conflict: null });
  };

  function save(): Promise<boolean> {
    cancel();
    const state = read();
    if (saving !== null) {
      return saving;
    }
    if (state === null || state.conflict !== null || saysTheSame(state.fields, state.stored.fields)) {
      return Promise.resolve(state !== null && state.conflict === null && !hasHalf(state.fields));
    }
    saving = attempt(state).finally(() => {
      saving = null;
    });
    return saving;
  }

  async function attempt(sent: HandoffDraft): Promise<boolean> {
    const { id, version } = sent.stored;
    put({ ...sent, isSaving: true });
    try {
      const body = { ...storedPart(sent.fields), version, authorId: userId };
      const { data } = await poll('saveHandoff', { params: { id }, body });
      const state = read();
      if (state !== null) {
        const stored = { id, version: data.version, fields: sent.fields };
        put({ ...state, stored, isSaving: false, failure: null });
      }
    } catch (problem) {
      await refused(sent, asFailure(problem));
    }
    const state = read();
    const isOpen = state !== null && isUnsavedHandoff(state);
    if (isOpen && state?.conflict === null) {
      later(state.failure === null ? saveAfterMs : retryAfterMs);
    }
    return !isOpen;
  }

  /** Sorts out why it was not stored: the response of our own call may have been lost, or another user was first. */
  async function refused(sent: HandoffDraft, failure: ApiFailure): Promise<void> {
    const present = failure.code.startsWith('handoff_') ? await presentOf(sent.stored.id) : null;
    const state = read();
    if (state === null) {
      return;
    }
    if (present !== null && isWritten(present) && saysTheSame(fieldsOf(present), sent.fields)) {
      const stored = { id: present.id, version: present.version, fields: sent.fields };
      put({ ...state, stored, isSaving: false, failure: null });
      return;
    }
    // One that is given or withdrawn cannot be gone on with: the next one takes the text.
    put({ ...state, isSaving: false, failure, conflict: present !== null && isWritten(present) ? present : null });
  }

  async function presentOf(id: number): Promise<Handoff | null> {
    try {
      const { data } = await poll('readPatientHandoffs', { params: { id: patientId } });
      return data.items.find((item) => item.id === id) ?? null;
    } catch {
      return null;
    }
  }

  return {
    ...kept,
    change: (fields) => {
      const state = read();
      if (state !== null) {
        put({ ...state, fields: toPlainFields({ ...state.fields, ...fields }) });
        later(saveAfterMs);
      }
    },
    save,
    follow: (handoff) => {
      const state = read();
      if (saving !== null || state?.conflict != null) {
        return;
      }
      const isTyped = state !== null && isUnsavedHandoff(state);
      if (handoff === null) {
        if (!isTyped) {
          put(null);
        }
      } else if (state !== null && isTyped && state.stored.id !== handoff.id) {
        // Another user gave the one that was written here: the text goes on in the next one.
        const stored = { id: handoff.id, version: handoff.version, fields: fieldsOf(handoff) };
        put({ ...state, stored, failure: null });
        later(saveAfterMs);
      } else if (!isTyped && (state?.stored.id !== handoff.id || state.stored.version < handoff.version)) {
        take(handoff);
      }
    },
    resolve: async (keep) => {
      const state = read();
      const conflict = state?.conflict ?? null;
      if (state === null || conflict === null) {
        return;
      }
      if (keep === 'other') {
        take(conflict);
        return;
      }
      const stored = { id: conflict.id, version: conflict.version, fields: fieldsOf(conflict) };
      put({ ...state, stored, conflict: null, failure: null });
      await save();
    },
    drop: () => put(null),
  };
}

function isWritten({ state }: Handoff): boolean {
  return state === 'draft' || state === 'returned';
}
