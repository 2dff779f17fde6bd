import { longestNote } from '../notes/noteLimits';
import { newNote } from '../notes/schema';
import { plainText } from '../plainText';
import { alertIdOf, alertMessage, alertText } from './alertMessage';
import { careTeamName, channelId, type ChannelPlace, placeOfChannel } from './channels';
import { messageNote, type NotedMessage, readMessage } from './messageNote';
import { messageNoteId } from './messageNoteId';
import { patientLabels } from './patientLabels';

describe('the message that takes an alert into the chat', () => {
  it('holds the number of the alert and nothing else', () => {
    expect(alertMessage('m-1', 123)).toEqual({
      id: 'm-1',
      text: 'Alert 123 (open Wardlight to see it)',
      attachments: [{ type: 'wardlight_alert', alertId: 123 }],
    });
  });

  it('is known by its attachment', () => {
    expect(alertIdOf(alertMessage('m-1', 123).attachments[0])).toBe(123);
    expect(alertText(7)).toContain('7');
  });

  it.each([
    null,
    'wardlight_alert',
    {},
    { type: 'image', alertId: 4 },
    { type: 'wardlight_alert' },
    { type: 'wardlight_alert', alertId: '4' },
    { type: 'wardlight_alert', alertId: 0 },
    { type: 'wardlight_alert', alertId: 1.5 },
  ])('is none of ours with %j', (attachment) => {
    expect(alertIdOf(attachment)).toBeNull();
  });
});

describe('channels', () => {
  const patient = { id: 12, givenName: 'sam', familyName: 'Sample', unit: 'East', bed: '4' };

  describe('the id of a channel', () => {
    it.each<[ChannelPlace, string]>([
      [{ kind: 'site', siteId: 1 }, 'site-1'],
      [{ kind: 'unit', unitId: 3 }, 'unit-3'],
      [{ kind: 'careTeam', patientId: 12 }, 'patient-12'],
      [{ kind: 'direct', userIds: [3, 7] }, 'direct-3-7'],
    ])('of %j contains only numbers of rows and says what it is for', (place, id) => {
      expect(channelId(place)).toBe(id);
      expect(placeOfChannel(id)).toEqual(place);
    });

    it('of two people is the same for both', () => {
      expect(channelId({ kind: 'direct', userIds: [7, 3] })).toBe('direct-3-7');
    });

    it.each([
      '',
      'site',
      'site-',
      'site-0',
      'site-01',
      'site-1-2',
      'patient-x',
      'patient-12-',
      'direct-3',
      'direct-7-3',
      'direct-3-3',
      'direct-3-7-9',
      'team-1',
      '!members-abc',
    ])('is not one of ours if it is %j', (id) => {
      expect(placeOfChannel(id)).toBeNull();
    });
  });

  describe('the name of a care team as the chat service sees it', () => {
    it.each([
      ['number', 'Care team 12'],
      ['bed', 'Care team: East, bed 4'],
      ['initials_and_bed', 'Care team: S.S., East, bed 4'],
    ] as const)('is by the site’s setting %s: %s', (label, name) => {
      expect(careTeamName(patient, label)).toBe(name);
    });

    it.each(patientLabels)('never contains a name of the patient (%s)', (label) => {
      expect(careTeamName(patient, label)).not.toMatch(/sam|sample/i);
    });

    it.each(patientLabels)('is the number if the patient has no place (%s)', (label) => {
      expect(careTeamName({ ...patient, unit: null, bed: null }, label)).toBe('Care team 12');
    });

    it('omits a bed that is not known', () => {
      expect(careTeamName({ ...patient, bed: null }, 'initials_and_bed')).toBe('Care team: S.S., East');
    });
  });
});

describe('messageNote', () => {
  const message: NotedMessage = {
    id: 'm-1',
    authorId: 8,
    authorName: 'Ada Byron',
    at: Date.parse('2026-06-23T13:05:00Z'),
    editedAt: null,
    text: 'Given 2 l of oxygen.',
    attachments: 0,
  };
  const noteOf = (change: Partial<NotedMessage>, zone = 'Europe/London') =>
    messageNote({ ...message, ...change }, 'Ada Byron', zone);

  describe('the note of a message', () => {
    it.each([
      ['Europe/London', 'From the chat, Ada Byron, 14:05 BST, 23 Jun 2026: Given 2 l of oxygen.'],
      ['UTC', 'From the chat, Ada Byron, 13:05 UTC, 23 Jun 2026: Given 2 l of oxygen.'],
    ])('names author and time by the clock of the site in %s', (zone, text) => {
      expect(noteOf({}, zone)).toBe(text);
    });

    it.each<[string, Partial<NotedMessage>, string]>([
      [
        'was edited',
        { editedAt: Date.parse('2026-06-23T13:10:00Z') },
        '23 Jun 2026 (edited 14:10 BST, 23 Jun 2026): Given',
      ],
      ['has no text', { text: '  ' }, '23 Jun 2026: (no text)'],
      [
        'is an attachment only',
        { text: '', attachments: 1 },
        ': (no text, only 1 attachment, which stays in the chat)',
      ],
      ['is two of them', { text: '', attachments: 2 }, ': (no text, only 2 attachments, which stay in the chat)'],
      ['has one beside its text', { attachments: 1 }, 'oxygen.\n(With 1 attachment, which stays in the chat.)'],
    ])('says in words that it %s', (_, change, words) => {
      expect(noteOf(change)).toContain(words);
    });

    it.each([0, 1])('says where a message is cut that is too long, with %d attachments', (attachments) => {
      const text = noteOf({ text: `${'a'.repeat(longestNote)}`, attachments });
      expect(text).toHaveLength(longestNote);
      expect(text).toContain('a\n(Cut here: the message is longer than a note can be.)');
    });

    it('is whole up to the last character that a note can hold', () => {
      const room = longestNote - noteOf({ text: '' }).replace('(no text)', '').length;
      expect(noteOf({ text: 'b'.repeat(room) })).not.toContain('Cut here');
      expect(noteOf({ text: 'b'.repeat(room + 1) })).toContain('Cut here');
    });

    it.each(['\u0000zero', '\ud83d half', `${'😀'.repeat(5_000)}`, `x${'😀'.repeat(5_000)}`])(
      'is a text that the server takes (%#)',
      (text) => {
        const note = noteOf({ text });
        expect(note).toMatch(plainText);
        const body = { type: 'nursing', text: note, clientId: messageNoteId(message, 4), authorId: 7 };
        expect(newNote.safeParse(body).success).toBe(true);
      },
    );

    it('keeps the name of its author on the first line', () => {
      expect(messageNote(message, 'Ada\nByron\u0007', 'UTC')).toContain('From the chat, Ada Byron, 13:05');
    });
  });

  describe('a message of the chat', () => {
    const service = { id: 'm-1', created_at: new Date(message.at), user: { id: 'u-8', name: 'Ada Byron' } };

    it('is read with its author, its times and its attachments, alerts excepted', () => {
      const attachments = [{ type: 'image' }, ...alertMessage('m', 3).attachments];
      expect(readMessage({ ...service, text: 'Hello', attachments })).toEqual({
        ...message,
        text: 'Hello',
        attachments: 1,
      });
      const edited = { message_text_updated_at: '2026-06-23T13:10:00.000Z' };
      expect(readMessage({ ...service, ...edited })?.editedAt).toBe(Date.parse(edited.message_text_updated_at));
    });

    it.each([
      ['u-8', 8],
      ['u-08', null],
      ['u-', null],
      ['8', null],
      ['someone', null],
    ])('is by our user only if the service’s id is one of ours: %s', (id, authorId) => {
      expect(readMessage({ ...service, user: { id } })).toMatchObject({ authorId, authorName: '' });
    });

    it('is none without an author’s time', () => {
      expect(readMessage({ ...service, created_at: undefined })).toBeNull();
      expect(readMessage({ ...service, created_at: 'yesterday' })).toBeNull();
      expect(readMessage({ ...service, user: null })).toMatchObject({ authorId: null });
    });
  });

  describe('the id of the draft of a message', () => {
    it('is the same for the same message and patient', () => {
      expect(messageNoteId({ id: 'm-1', editedAt: null }, 4)).toBe(messageNoteId({ ...message }, 4));
    });

    it('is another one for each message, each edit of it, and each patient', () => {
      const ids = new Set(
        Array.from({ length: 20_000 }, (_, place) =>
          messageNoteId({ id: `u-7-${place % 100}`, editedAt: place % 2 === 0 ? null : place }, place),
        ),
      );
      expect(ids.size).toBe(20_000);
      // Not one of its four parts alone: each differs nearly as often as chance has it.
      for (const part of [0, 3, 4]) {
        expect(new Set([...ids].map((id) => id.split('-')[part])).size).toBeGreaterThan(11_000);
      }
    });
  });
});
