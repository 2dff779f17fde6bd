import { asFailure, clientFailure, type ApiFailure } from '../lib/browser/client';
import { newUuid } from '../lib/browser/newUuid';
import { emptyDraft, fieldsOf, saysTheSame, type DraftFields } from '../lib/notes/draftFields';
import type { Note } from '../lib/notes/schema';
import { toPlainText } from '../lib/plainText';
import { createKept, type Kept } from './kept';
import { poll } from './poll';

/** A draft is stored this long after the last key, in milliseconds (clinical.md section 5). */
const saveAfterMs = 2_000;
/** It is tried again this long after a failure, in milliseconds. */
const retryAfterMs = 5_000;

export interface DraftState {
  /** What is typed. */
  fields: DraftFields;
  /** What the server has; null: nothing yet. */
  stored: { id: number; version: number; fields: DraftFields } | null;
  isSaving: boolean;
  isSigning: boolean;
  /** What was attempted last and failed, and why. */
  failed: 'save' | 'sign' | 'discard' | null;
  failure: ApiFailure | null;
  /** What another tab or device has stored meanwhile: the user chooses. */
  conflict: Note | null;
  /** What has happened to the draft that was here. */
  notice: string | null;
}

/** The draft of one user about one patient, as long as this page lives. */
export interface DraftKeeper extends Kept<DraftState> {
  change: (fields: Partial<DraftFields>) => void;
  /** Stores what is typed now. Never rejects. */
  save: () => Promise<void>;
  /** Takes what the server says. A draft that is being typed is not replaced. */
  follow: (read: { items: readonly Note[]; drafts: readonly Note[] }, isTyping: boolean) => void;
  /** Goes on with another draft of the same patient, once this one is stored. */
  open: (draft: Note) => Promise<void>;
  /** Ends a conflict with the text of this page, or with the other one. */
  resolve: (keep: 'this' | 'other') => Promise<void>;
  /** Signs it. Resolves with the note, or with null if that failed; `read().failure` then says why. */
  sign: () => Promise<Note | null>;
  discard: () => Promise<boolean>;
}

const empty: DraftState = {
  fields: emptyDraft,
  stored: null,
  isSaving: false,
  isSigning: false,
  failed: null,
  failure: null,
  conflict: null,
  notice: null,
};

/** Returns whether the page holds something that the server does not have. */
export function isUnsaved({ fields, stored }: Pick<DraftState, 'fields' | 'stored'>): boolean {
  return stored === null ? fields.text.trim() !== '' : !saysTheSame(fields, stored.fields);
}

/**
 * Keeps a draft on the page, outside of the DOM, and stores it 2 s after the last key, one call at a time. What the
 * server refuses or does not get stays here.
 */
export function createDraftKeeper(userId: number, patientId: number): DraftKeeper {
  /** Of the draft that is not stored yet: the same again after a lost response adds nothing. */
  let clientId = newUuid();
  /** Its text was sent, and the server may have it although no response came. */
  let isSent = false;
  let saving: Promise<void> | null = null;
  /** Signed or discarded here: an older response may still contain them. */
  const done = new Set<number>();
  const kept = createKept(empty, {
    isUnsaved,
    send: () => void save(),
  });
  const { read, put, later, cancel } = kept;
  const set = (change: Partial<DraftState>): void => put({ ...read(), ...change });
  const beginAgain = (change: Partial<DraftState> = {}): void => {
    const { stored } = read();
    if (stored !== null) {
      done.add(stored.id);
    }
    clientId = newUuid();
    isSent = false;
    set({ ...empty, ...change });
  };
  const take = (note: Note): void => {
    const fields = fieldsOf(note);
    set({ ...empty, fields, stored: { id: note.id, version: note.version, fields } });
  };

  function save(): Promise<void> {
    cancel();
    if (saving !== null || read().conflict !== null || !isUnsaved(read())) {
      return saving ?? Promise.resolve();
    }
    saving = attempt().finally(() => {
      saving = null;
    });
    return saving;
  }

  async function attempt(): Promise<void> {
    const { fields, stored } = read();
    set({ isSaving: true });
    const { eventTime, alertIds, type, text } = fields;
    const mentions = fields.mentions.map(({ id }) => id);
    const body = { type, text, alertIds: [...alertIds], mentions, ...(eventTime === null ? {} : { eventTime }) };
    try {
      if (stored === null) {
        isSent = true;
        storeAs(
          (await poll('addNote', { params: { id: patientId }, body: { ...body, clientId, authorId: userId } })).data,
        );
      } else {
        const version = stored.version;
        storeAs((await poll('saveDraft', { params: { id: stored.id }, body: { ...body, version } })).data);
      }
    } catch (problem) {
      await refused('save', asFailure(problem), fields);
    }
    if (isUnsaved(read()) && read().conflict === null) {
      later(read().failure === null ? saveAfterMs : retryAfterMs);
    }
  }

  /** Notes what the server has now. What was typed meanwhile stays. */
  function storeAs(note: Note): void {
    const { fields } = read();
    set({
      fields: { ...fields, eventTime: fields.eventTime ?? note.eventTime },
      stored: { id: note.id, version: note.version, fields: fieldsOf(note) },
      isSaving: false,
      failed: null,
      failure: null,
      conflict: null,
    });
  }

  /** Sorts out why a change of the draft was refused; `sent` is what was sent. */
  async function refused(
    failed: NonNullable<DraftState['failed']>,
    failure: ApiFailure,
    sent: DraftFields,
  ): Promise<void> {
    const { stored } = read();
    if (stored === null || !['note_changed', 'note_signed', 'not_found'].includes(failure.code)) {
      set({ isSaving: false, isSigning: false, failed, failure });
      return;
    }
    if (failure.code === 'not_found') {
      endedElsewhere('This draft was discarded in another tab, or you cannot see this patient any more.');
      return;
    }
    try {
      const { data: present } = await poll('readNote', { params: { id: stored.id } });
      if (present.signedAt !== null) {
        endedElsewhere('This draft is signed.', fieldsOf(present));
      } else if (saysTheSame(fieldsOf(present), sent)) {
        // The response of our own call was lost.
        storeAs(present);
        set({ isSigning: false });
      } else {
        set({ isSaving: false, isSigning: false, failed, failure, conflict: present });
      }
    } catch (problem) {
      set({ isSaving: false, isSigning: false, failed, failure: asFailure(problem) });
    }
  }

  async function repeatEmpty(): Promise<Note> {
    const { type } = read().fields;
    const body = { type, text: '', alertIds: [], clientId, authorId: userId };
    return (await poll('addNote', { params: { id: patientId }, body })).data;
  }

  /** The draft is no longer one. What it says and the signed text does not stays as a new draft. */
  function endedElsewhere(notice: string, signed?: DraftFields): void {
    const { fields } = read();
    const isNews = fields.text.trim() !== '' && (signed === undefined || !saysTheSame(fields, signed));
    beginAgain(isNews ? { fields, notice: `${notice} Your text is kept here as a new draft.` } : { notice });
  }

  return {
    ...kept,
    change: (fields) => {
      const { text } = fields;
      const plain = text === undefined ? {} : { text: toPlainText(text) };
      set({ fields: { ...read().fields, ...fields, ...plain }, notice: null });
      later(saveAfterMs);
    },
    save,
    follow: ({ items, drafts }, isTyping) => {
      const { stored } = read();
      if (saving !== null || read().isSigning || read().conflict !== null) {
        return;
      }
      if (stored === null) {
        const draft = drafts.findLast(({ id }) => !done.has(id));
        if (draft !== undefined && !isTyping && !isUnsaved(read())) {
          take(draft);
        }
        return;
      }
      const signed = items.find(({ id }) => id === stored.id);
      if (signed !== undefined) {
        endedElsewhere('This draft is signed.', fieldsOf(signed));
        return;
      }
      const newer = drafts.find(({ id, version }) => id === stored.id && version > stored.version);
      if (newer !== undefined && !isTyping && !isUnsaved(read())) {
        take(newer);
      }
    },
    open: async (draft) => {
      await save();
      if (!isUnsaved(read())) {
        clientId = newUuid();
        take(draft);
      }
    },
    resolve: async (keep) => {
      const { conflict } = read();
      if (conflict === null) {
        return;
      }
      if (keep === 'other') {
        take(conflict);
        return;
      }
      set({
        stored: { id: conflict.id, version: conflict.version, fields: fieldsOf(conflict) },
        conflict: null,
        failed: null,
        failure: null,
      });
      await save();
    },
    sign: async () => {
      if (read().isSigning) {
        return null;
      }
      set({ isSigning: true, failed: null, failure: null });
      // A save that was under way may have left without the last letters.
      await save();
      await save();
      const { stored, fields } = read();
      if (stored === null || isUnsaved(read()) || read().conflict !== null) {
        // Why the text could not be stored is why it could not be signed.
        set({ isSigning: false, failed: 'sign', failure: read().failure ?? clientFailure('unreadable_response') });
        return null;
      }
      try {
        const { data: note } = await poll('signNote', { params: { id: stored.id }, body: { version: stored.version } });
        beginAgain();
        return note;
      } catch (problem) {
        await refused('sign', asFailure(problem), fields);
        return null;
      }
    },
    discard: async () => {
      cancel();
      await saving;
      const { fields } = read();
      try {
        // Asked for again by its client id, a draft whose response was lost is found; one that was not there is empty.
        const stored = read().stored ?? (isSent ? await repeatEmpty() : null);
        if (stored !== null) {
          await poll('discardDraft', { params: { id: stored.id }, body: { version: stored.version } });
          done.add(stored.id);
        }
      } catch (problem) {
        const failure = asFailure(problem);
        // It is gone: an earlier attempt, whose response was lost, has done it.
        if (failure.code !== 'not_found') {
          await refused('discard', failure, fields);
          return false;
        }
      }
      beginAgain();
      return true;
    },
  };
}
