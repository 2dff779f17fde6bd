import { render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { ApiFailure } from '../../lib/browser/client';
import { noteResponse, thisMoment } from '../../lib/browser/serverClock';
import { nothingSeen, proposedAnswers, type SeenStructure } from '../../lib/hl7/seenStructure';
import { unanswered, versionOne, type SenderSettings } from '../../lib/hl7/senderSettings';
import type {
  CheckedMessage,
  ListedMessage,
  ListedSettings,
  MessagesResponse,
  SendersResponse,
} from '../../lib/interfaces/schema';
import type { SenderBed, SenderCode } from '../../lib/mappings/schema';
import type { User } from '../../lib/session/schema';
import { axeViolations } from '../../test/axeViolations';
import { answered, callMock, setCalls, setReads } from '../../test/calls';
import { inventedUser, secondsAgo, wardNow } from '../../test/inventedWard';
import { writeInto } from '../../test/writeInto';
import { AcceptSenderDrawer } from './AcceptSenderDrawer';
import { InterfacesScreen } from './InterfacesScreen';
import { CodeDrawer, ProposeBedDrawer } from './MappingDrawers';
import { MappingsScreen } from './MappingsScreen';
import { MessageDrawer } from './MessageDrawer';
import { MessagesSection } from './MessagesSection';
import { SenderSettingsSection } from './SenderSettingsSection';

jest.mock('next/router', () => ({ useRouter: () => ({ pathname: '/admin/interfaces' }) }));
jest.mock('../../hooks/useCall');
jest.mock('../../hooks/useRead');

describe('InterfacesScreen', () => {
  const acceptSender = callMock<'acceptSender'>();
  const revokeSender = callMock<'revokeSender'>();
  const proposeSenderSettings = callMock<'proposeSenderSettings'>();
  const confirmSenderSettings = callMock<'confirmSenderSettings'>();
  const rejectSenderSettings = callMock<'rejectSenderSettings'>();
  const sender = {
    id: 4,
    name: 'North gateway',
    certificate: null,
    address: '10.1.2.0/24',
    application: 'GATEWAY',
    facility: '',
    isTrial: false,
    settingsVersion: 2,
    takesNumberAlone: false,
    acceptedAt: secondsAgo(600),
    revokedAt: null,
    connections: 2,
    lastMessageAt: secondsAgo(4),
    rate: { perMinute: 12, minutes: 5 },
    answerMs: { middle: 12, longest: 80 },
    clockBehindMs: { least: -180_000, most: 2_000 },
    answers: { AA: 12, AE: 3, AR: 1 },
    repeated: 1,
    broken: 0,
    unmapped: [{ code: 'X-1^Mystery^L', count: 9 }],
  };
  const stranger = {
    id: 1,
    address: '10.1.9.9',
    certificate: null,
    application: '',
    facility: 'WARD',
    messages: 5,
    firstAt: secondsAgo(60),
    lastAt: secondsAgo(2),
    seen: nothingSeen(),
  };
  const listed: ListedSettings = {
    ...{ id: 4, name: 'North gateway', version: 2, since: secondsAgo(600), proposal: null },
    ...{ settings: unanswered, suggested: unanswered, seen: nothingSeen() },
  };
  const message: ListedMessage = {
    id: 71,
    receivedAt: secondsAgo(4),
    sender: 'North gateway',
    bytes: 2_140,
    fate: 'AA',
    reason: null,
    isWhole: true,
    isKept: true,
  };
  const kept = { usedBytes: 12 * 1_048_576, mostBytes: 2_048 * 1_048_576, notKept: 0, fault: null };
  const openMessage = callMock<'openMessage'>();
  const checkMessage = callMock<'checkMessage'>();
  const door = { host: '127.0.0.1', port: 2575, isEncrypted: false, isExposed: false };

  const administrator = inventedUser({ type: 'administrator', isAdmin: true });

  function show(change: Partial<SendersResponse> = {}) {
    setCalls({ acceptSender, revokeSender, openMessage });
    setReads({
      listSenders: answered({
        door,
        items: [sender],
        total: 1,
        unknown: [stranger],
        refusedConnections: [],
        ...change,
      }),
      listSenderSettings: answered({ items: [], total: 0 }),
      listMessages: answered({ items: [], total: 0, kept }),
    });
    noteResponse(wardNow, thisMoment());
    return render(<InterfacesScreen user={administrator} now={wardNow} />);
  }

  function showMessages(user: User, change: Partial<MessagesResponse> = {}) {
    setCalls({ openMessage, checkMessage });
    setReads({ listMessages: answered({ items: [message], total: 1, kept, ...change }) });
    return render(<MessagesSection user={user} />);
  }

  describe('InterfacesScreen', () => {
    it('warns if others can read what gateways send', () => {
      show({ door: { ...door, host: '0.0.0.0', isExposed: true } });
      expect(screen.getByText('HL7 is not encrypted.')).toBeTruthy();
    });

    it('lists what came and is no message, with the reason in words and its shape, and nothing without any', () => {
      const refused = { address: '10.1.2.7', shape: null, count: 12, lastAt: secondsAgo(60) };
      const { unmount } = show({
        refusedConnections: [
          { ...refused, reason: 'expired' },
          { ...refused, reason: 'batch', shape: 'aaa|^~\\&|99' },
        ],
      });
      expect(screen.getByRole('row', { name: /^10\.1\.2\.7 Its certificate has expired 12 1 min ago/ })).toBeTruthy();
      expect(
        screen.getByRole('row', { name: /^10\.1\.2\.7 A batch .* frame of its own ?aaa\|\^~\\&\|99 12/ }),
      ).toBeTruthy();
      unmount();
      show();
      expect(screen.queryByRole('heading', { name: 'Refused connections' })).toBeNull();
    });

    it('says that there is no port for gateways', () => {
      show({ door: null, items: [], total: 0, unknown: [] });
      expect(screen.getByText(/HL7 is switched off\./)).toBeTruthy();
      expect(screen.getByText('No sender is accepted yet.')).toBeTruthy();
      expect(screen.queryByRole('table')).toBeNull();
    });

    it('shows what each sender did, and the codes that mean nothing here', () => {
      show();
      const row = screen.getByRole('row', { name: /^North gateway/ });
      const cells = within(row)
        .getAllByRole('cell')
        .map(({ textContent }) => textContent);
      expect(cells.slice(0, 2)).toEqual(['10.1.2.0/24GATEWAY · empty', '2']);
      expect(cells.slice(2, 5)).toEqual(['4 s ago12 a minute', '12 msLongest 80 ms', '2 s behind to 3 min ahead']);
      expect(cells.slice(5, 8)).toEqual(['12', '3', '1']);
      expect(within(row).getByText('1 repeated; unknown codes: X-1^Mystery^L (9)')).toBeTruthy();
      expect(screen.getByRole('row', { name: /^10\.1\.9\.9 empty · WARD 5/ })).toBeTruthy();
    });

    it('calls no rate, answer or clock good while nothing is known of it', () => {
      show({ items: [{ ...sender, rate: null, answerMs: null, clockBehindMs: null }] });
      const row = screen.getByRole('row', { name: /^North gateway/ });
      const cells = within(row).getAllByRole('cell');
      expect(cells.slice(2, 5).map(({ textContent }) => textContent)).toEqual([
        '4 s agoRate not known yet',
        'None in 5 min',
        'Not known yet',
      ]);
    });

    it('shows the certificates of senders instead of their addresses', () => {
      const certificate = 'CN=north, O=Hospital';
      const known = { ...sender, certificate, address: '', application: '', facility: '' };
      show({ items: [known], unknown: [{ ...stranger, certificate: 'CN=south' }] });
      expect(screen.getByRole('cell', { name: 'Certificate CN=north, O=Hospital' })).toBeTruthy();
      expect(screen.getByRole('row', { name: /^Certificate CN=south 10\.1\.9\.9 empty · WARD 5/ })).toBeTruthy();
      expect(screen.getByRole('button', { name: 'Accept Certificate CN=south, empty · WARD' })).toBeTruthy();
    });

    it('names the sender whose values are not taken yet, and the one that takes an MRN alone', () => {
      const fresh = { ...sender, id: 5, name: 'South gateway', settingsVersion: 0 };
      show({ items: [{ ...sender, settingsVersion: 1, takesNumberAlone: true }, fresh] });
      const [first, second] = within(screen.getByRole('table', { name: 'Senders' })).getAllByRole('rowheader');
      expect(first?.textContent).toContain('MRN alone: decide; 1 repeated');
      expect(second?.textContent).toContain('questions open: no values used yet');
    });

    it('asks before it revokes a sender', async () => {
      revokeSender.mockReset().mockResolvedValue({ ...sender, revokedAt: secondsAgo(0) });
      show();
      await userEvent.click(screen.getByRole('button', { name: 'Revoke North gateway' }));
      expect(revokeSender).not.toHaveBeenCalled();
      await userEvent.click(await screen.findByRole('button', { name: 'Revoke' }));
      await waitFor(() => expect(revokeSender).toHaveBeenCalledWith({ params: { id: 4 } }));
    });

    it('has no accessibility violation', async () => {
      const { container } = show({ door: { ...door, isExposed: true } });
      await expect(axeViolations(container, 'label-content-name-mismatch')).resolves.toEqual([]);
    });
  });

  describe('MessagesSection', () => {
    it('offers no contents to those who see no patients, nor those that are not kept', () => {
      const { unmount } = showMessages(administrator);
      expect(screen.getByRole('row', { name: /North gateway 2.1 kB Taken/ })).toBeTruthy();
      expect(screen.queryByRole('button', { name: /^Open/ })).toBeNull();
      unmount();
      showMessages(inventedUser({ type: 'physician' }), { items: [{ ...message, isKept: false }] });
      expect(screen.queryByRole('button', { name: /^(Open|Lines)/ })).toBeNull();
      expect(screen.getByRole('cell', { name: 'Not kept' })).toBeTruthy();
    });

    it('shows a physician the messages without the senders', () => {
      setReads({
        listMessages: answered({ items: [message], total: 1, kept }),
        listSenderSettings: answered({ items: [], total: 0 }),
      });
      render(<InterfacesScreen user={inventedUser({ type: 'physician' })} now={wardNow} />);
      expect(screen.getByRole('table', { name: 'Messages' })).toBeTruthy();
      expect(screen.queryByRole('heading', { name: 'Senders' })).toBeNull();
    });

    it('says what was not kept, why, and how much room is used', () => {
      showMessages(administrator, { kept: { ...kept, notKept: 3, fault: 'key' } });
      expect(screen.getByText('What is in messages is not kept.')).toBeTruthy();
      expect(screen.getByText(/12 of 2,048 MB are used; 3 were not kept/)).toBeTruthy();
    });

    it('says why a message was not fully taken, and which settings may change that', () => {
      const items = (['no_identifier', 'clock_wrong'] as const).map((reason, id) => ({ ...message, id, reason }));
      showMessages(administrator, { items });
      expect(screen.getAllByRole('row').map((row) => row.children[4]?.textContent)).toEqual([
        'Why',
        'No MRN, and the bed may not decide' +
          'May change with: Which number is the MRN; Messages without a patient number',
        'A time more than 24 h off',
      ]);
    });

    it('shows 50 of many at a time', async () => {
      const items = Array.from({ length: 60 }, (_, index) => ({ ...message, id: index + 1 }));
      showMessages(administrator, { items, total: 60 });
      expect(screen.getAllByRole('row')).toHaveLength(51);
      await userEvent.click(screen.getByRole('button', { name: 'Next Page' }));
      expect(screen.getAllByRole('row')).toHaveLength(11);
    });

    it('opens a message beside the list, and says why one could not be opened', async () => {
      const segments = ['MSH|^~\\&|GATEWAY', 'PID|||A-1'];
      openMessage
        .mockReset()
        .mockRejectedValueOnce(new ApiFailure('message_damaged', 'This message cannot be opened.', { status: 409 }))
        .mockResolvedValue({ id: 71, sha256: 'ab', segments });
      showMessages(inventedUser({ type: 'physician' }));
      const button = screen.getByRole('button', { name: /^Open the message of 07 Mar 2026/ });
      await userEvent.click(button);
      await expect(screen.findByText('Not opened. This message cannot be opened.')).resolves.toBeTruthy();
      await userEvent.click(button);
      const drawer = await screen.findByRole('dialog');
      expect(openMessage).toHaveBeenLastCalledWith({ params: { id: 71 } });
      expect(
        within(drawer)
          .getAllByRole('listitem')
          .map(({ textContent }) => textContent),
      ).toEqual(segments);
    });

    const line = { line: 4, code: '150364^MDC_TEMP_BODY^MDC', unit: 'Cel', taken: 'Temp', reason: null, settings: [] };
    const checked: CheckedMessage = {
      ...{ id: 71, isCut: false },
      lines: [
        line,
        { ...line, line: 5, unit: '', taken: '', reason: 'unknown_unit', settings: ['Values without a unit: none'] },
      ],
    };

    it('shows who sees no patients the lines of a message, why one is not taken, and what may change it', async () => {
      checkMessage
        .mockReset()
        .mockRejectedValueOnce(new ApiFailure('message_not_kept', 'It is no longer kept.', { status: 409 }))
        .mockResolvedValue(checked);
      showMessages(administrator);
      const button = screen.getByRole('button', { name: /^Lines of the message of 07 Mar 2026/ });
      await userEvent.click(button);
      await expect(screen.findByText('Not opened. It is no longer kept.')).resolves.toBeTruthy();
      await userEvent.click(button);
      const drawer = await screen.findByRole('dialog', { name: 'Lines of a message' });
      expect(checkMessage).toHaveBeenLastCalledWith({ params: { id: 71 } });
      const [, ...rows] = within(drawer).getAllByRole('row');
      expect(rows.map((row) => [...row.children].map(({ textContent }) => textContent))).toEqual([
        ['4', '150364^MDC_TEMP_BODY^MDC', 'Cel', 'Temp'],
        [
          ...['5', '150364^MDC_TEMP_BODY^MDC', ''],
          'Not taken: A unit that is not takenMay change with: Values without a unit: none',
        ],
      ]);
      await expect(axeViolations(drawer, 'label-content-name-mismatch', 'region')).resolves.toEqual([]);
    });

    it('says that a message is refused as a whole, has no line with a value, or has more', () => {
      const shows = (message: CheckedMessage): string | null => {
        const { baseElement, unmount } = render(<MessageDrawer message={message} onClose={() => undefined} />);
        const { textContent } = baseElement;
        unmount();
        return textContent;
      };
      const whole = { ...line, line: 1, code: '', unit: '', taken: '', reason: 'version' as const };
      expect(shows({ ...checked, lines: [whole] })).toContain('AllNot taken: Not version 2 (MSH-12)');
      expect(shows({ ...checked, lines: [] })).toContain('It has no line with a value (OBX).');
      expect(shows({ ...checked, isCut: true })).toContain('These are the first lines only.');
    });

    it('has no accessibility violation, nor has an opened message', async () => {
      const { container } = showMessages(inventedUser({ type: 'physician' }), { kept: { ...kept, fault: 'disk' } });
      await expect(axeViolations(container, 'label-content-name-mismatch')).resolves.toEqual([]);
      const opened = { id: 71, sha256: 'ab', segments: ['MSH|^~\\&|GATEWAY'] };
      const { baseElement } = render(<MessageDrawer message={opened} onClose={() => undefined} />);
      await expect(axeViolations(baseElement, 'label-content-name-mismatch', 'region')).resolves.toEqual([]);
    });
  });

  describe('the questions about a sender', () => {
    const code = { id: '147842', text: 'MDC_ECG_HEART_RATE', system: 'MDC' };
    const seen: SeenStructure = {
      ...nothingSeen(),
      messages: 12,
      identifiers: [
        { type: 'PI', authority: 'Hospital', field: 3, count: 12 },
        { type: 'VN', authority: '', field: 3, count: 12 },
      ],
      codes: [{ ...code, unit: '', isKnown: true, count: 12 }],
      temperatures: [
        { subId: 'T1', count: 12 },
        { subId: 'T2', count: 12 },
      ],
      people: { all: 12, familyNames: 12, givenNames: 12, birthDates: 11 },
      withoutStatus: 12,
    };
    const fresh: ListedSettings = {
      ...listed,
      ...{ version: 0, since: null, suggested: proposedAnswers(seen), seen },
    };
    const response = { items: [fresh], total: 1 };
    const technician = inventedUser({ type: 'technician' });
    const wanted: SenderSettings = { ...fresh.suggested, bedRoute: true };
    const proposal = {
      ...{ id: 31, wanted, by: { id: 7, name: 'Tess Technician' }, at: secondsAgo(60) },
      ...{ canConfirm: true, canReject: true },
    };

    function ask(user: User, item: ListedSettings, acceptedId: number | null = null) {
      setCalls({ proposeSenderSettings, confirmSenderSettings, rejectSenderSettings });
      setReads({ listSenderSettings: answered({ items: [item], total: 1 }) });
      return render(<SenderSettingsSection user={user} acceptedId={acceptedId} />);
    }

    it('are asked of no one who may only confirm, and say whom a proposal waits for', () => {
      const physician = inventedUser({ type: 'physician' });
      const { unmount } = ask(physician, fresh);
      expect(screen.getByRole('row', { name: /^North gateway Questions open: no values used yet/ })).toBeTruthy();
      expect(screen.queryByRole('button')).toBeNull();
      unmount();
      ask(technician, { ...fresh, proposal: { ...proposal, canConfirm: false } });
      expect(screen.getByText('Proposed by Tess Technician, waits for a physician or a ward lead')).toBeTruthy();
    });

    it('name a sender that takes an MRN alone', () => {
      ask(technician, { ...listed, version: 1, since: null, settings: versionOne, suggested: versionOne });
      expect(screen.getByText('MRN alone: decide')).toBeTruthy();
      expect(screen.getByRole('button', { name: 'Change answers about North gateway' })).toBeTruthy();
    });

    it('have proposed answers, which are proposed as they are or changed', async () => {
      proposeSenderSettings.mockReset().mockResolvedValue(response);
      const { baseElement } = ask(technician, fresh, 4);
      await expect(screen.findByRole('dialog', { name: 'Questions about North gateway' })).resolves.toBeTruthy();
      expect(screen.getByText('Patients: family name in 12, given name in 12, birth date in 11 of 12')).toBeTruthy();
      await expect(axeViolations(baseElement, 'label-content-name-mismatch', 'region')).resolves.toEqual([]);
      await userEvent.click(screen.getByRole('checkbox', { name: 'T1' }));
      await userEvent.click(screen.getByRole('checkbox', { name: /^255 under 147842/ }));
      await writeInto(screen.getByLabelText('Time zone of times without an offset'), 'Asia/Tokyo');
      await userEvent.click(screen.getByRole('button', { name: 'Propose' }));
      await waitFor(() => expect(proposeSenderSettings).toHaveBeenCalled());
      expect(proposeSenderSettings).toHaveBeenCalledWith({
        params: { id: 4 },
        body: {
          basedOn: 0,
          settings: {
            ...fresh.suggested,
            identifiers: [
              { type: 'PI', authority: 'Hospital', is: 'mrn' },
              { type: 'VN', authority: '', is: 'none' },
            ],
            timeZone: 'Asia/Tokyo',
            coreTemperatures: ['T1'],
            sentinels: [{ code, values: [255] }],
            missingStatus: 'F',
          },
        },
      });
    });

    it('ask what each text and unit means, and take a text that is not ticked for no value', async () => {
      proposeSenderSettings.mockReset().mockResolvedValue(response);
      const names = ['Sat', 'SpO2 left', 'CO'];
      const codes = names.map((text) => ({ id: '150456', text, system: 'MDC' }));
      const labelled = {
        ...seen,
        codes: [{ ...code, unit: 'Schlag', isKnown: true, count: 12 }],
        texts: codes.map((one) => ({ ...one, count: 12 })),
      };
      ask(technician, { ...fresh, seen: labelled, suggested: proposedAnswers(labelled) }, 4);
      await screen.findByRole('dialog', { name: 'Questions about North gateway' });
      const boxOf = (text: string) =>
        screen.getByRole<HTMLInputElement>('checkbox', {
          name: `150456 comes with the text “${text}”: it means SpO2`,
        });
      expect(names.map((text) => boxOf(text).checked)).toEqual([false, true, false]);
      await userEvent.click(boxOf('Sat'));
      const unit = '147842 MDC_ECG_HEART_RATE MDC in “Schlag” is in /min';
      await userEvent.click(screen.getByRole('checkbox', { name: unit }));
      await userEvent.click(screen.getByRole('button', { name: 'Propose' }));
      await waitFor(() => expect(proposeSenderSettings).toHaveBeenCalled());
      expect(proposeSenderSettings.mock.lastCall?.[0].body.settings).toMatchObject({
        texts: codes.map((one) => ({ code: one, isMeant: one.text !== 'CO' })),
        missingUnits: [{ code, sent: 'Schlag', unit: '/min' }],
      });
    });

    it('offer no visit number as the MRN, and no MRN alone, and warn of a sender without names', async () => {
      const nameless = { ...seen, people: { all: 12, familyNames: 12, givenNames: 0, birthDates: 0 } };
      ask(technician, { ...fresh, seen: nameless });
      await userEvent.click(screen.getByRole('button', { name: 'Answer questions about North gateway' }));
      await expect(screen.findByText(/no MRN is accepted/)).resolves.toBeTruthy();
      expect(screen.getByRole<HTMLInputElement>('checkbox', { name: 'VN counts as absent' }).checked).toBe(true);
      expect(screen.getByRole<HTMLInputElement>('checkbox', { name: 'PI of Hospital is the MRN' }).checked).toBe(true);
      expect(screen.queryByRole('checkbox', { name: 'VN is the MRN' })).toBeNull();
      await userEvent.click(screen.getByLabelText('What has to agree beside the MRN'));
      expect(screen.queryByText(/the MRN alone is enough/)).toBeNull();
    });

    it('show a second person what would change, who confirms or rejects it', async () => {
      confirmSenderSettings.mockReset().mockResolvedValue(response);
      rejectSenderSettings.mockReset().mockResolvedValue(response);
      const { baseElement } = ask(inventedUser({ type: 'physician' }), { ...fresh, proposal });
      const open = () => userEvent.click(screen.getByRole('button', { name: 'Review answers about North gateway' }));
      await open();
      const drawer = await screen.findByRole('dialog', { name: 'Answers about North gateway' });
      const row = (name: RegExp) => within(drawer).getByRole('row', { name });
      expect(
        row(/^Which number is the MRN PI of Hospital is the MRN; VN counts as absent ?Until now: None/),
      ).toBeTruthy();
      expect(row(/^Messages without a patient number The bed decides.*Until now: Go to quarantine/)).toBeTruthy();
      expect(row(/^Character set if MSH-18 is empty UTF-8$/)).toBeTruthy();
      await expect(axeViolations(baseElement, 'label-content-name-mismatch', 'region')).resolves.toEqual([]);
      await userEvent.click(within(drawer).getByRole('button', { name: 'Confirm' }));
      await waitFor(() => expect(confirmSenderSettings).toHaveBeenCalledWith({ params: { id: 31 } }));
      await open();
      await userEvent.click(await screen.findByRole('button', { name: 'Reject' }));
      await waitFor(() => expect(rejectSenderSettings).toHaveBeenCalledWith({ params: { id: 31 } }));
    });

    it('are shown to the proposer, who may withdraw them and not confirm them', async () => {
      ask(technician, { ...fresh, proposal: { ...proposal, canConfirm: false } });
      await userEvent.click(screen.getByRole('button', { name: 'Review answers about North gateway' }));
      await expect(screen.findByRole('button', { name: 'Reject' })).resolves.toBeTruthy();
      expect(screen.queryByRole('button', { name: 'Confirm' })).toBeNull();
    });
  });

  describe('AcceptSenderDrawer', () => {
    it('accepts a sender under the name that was typed, from the network that was typed', async () => {
      acceptSender.mockReset().mockResolvedValue(sender);
      setCalls({ acceptSender });
      const [accepted, close] = [jest.fn(), jest.fn()];
      const { baseElement } = render(<AcceptSenderDrawer sender={stranger} onAccepted={accepted} onClose={close} />);
      await expect(axeViolations(baseElement, 'label-content-name-mismatch', 'region')).resolves.toEqual([]);
      expect(within(screen.getByRole('list', { name: 'What it sends' })).getAllByRole('listitem')).toHaveLength(1);
      await writeInto(screen.getByLabelText('Name'), 'North gateway');
      await userEvent.clear(screen.getByLabelText('Address'));
      await writeInto(screen.getByLabelText('Address'), '10.1.9.0/24');
      await userEvent.click(screen.getByRole('button', { name: 'Accept sender' }));
      await waitFor(() => expect(close).toHaveBeenCalled());
      expect(acceptSender).toHaveBeenCalledWith({
        body: { unknownId: 1, name: 'North gateway', address: '10.1.9.0/24', isTrial: false },
      });
      expect(accepted).toHaveBeenCalledWith(4);
    });

    it('accepts a sender with a certificate by that, unless its address is chosen', async () => {
      acceptSender.mockReset().mockResolvedValue(sender);
      setCalls({ acceptSender });
      const shown = { ...stranger, certificate: 'CN=north, O=Hospital' };
      const { baseElement } = render(
        <AcceptSenderDrawer sender={shown} onAccepted={() => undefined} onClose={() => undefined} />,
      );
      expect(screen.getByText(/^CN=north, O=Hospital\. From any address/)).toBeTruthy();
      expect(screen.queryByLabelText('Address')).toBeNull();
      await expect(axeViolations(baseElement, 'label-content-name-mismatch', 'region')).resolves.toEqual([]);
      await writeInto(screen.getByLabelText('Name'), 'North gateway');
      await userEvent.click(screen.getByRole('button', { name: 'Accept sender' }));
      await waitFor(() => expect(acceptSender).toHaveBeenCalledTimes(1));
      const body = { unknownId: 1, name: 'North gateway', isTrial: false };
      expect(acceptSender).toHaveBeenLastCalledWith({ body: { ...body, address: null } });
      await userEvent.click(screen.getByText('Its address'));
      await writeInto(screen.getByLabelText('Name'), 'North gateway');
      expect(screen.getByLabelText<HTMLInputElement>('Address').value).toBe('10.1.9.9');
      await userEvent.click(screen.getByRole('button', { name: 'Accept sender' }));
      await waitFor(() => expect(acceptSender).toHaveBeenCalledTimes(2));
      expect(acceptSender).toHaveBeenLastCalledWith({ body: { ...body, address: '10.1.9.9' } });
    });

    it('accepts a sender as one on trial', async () => {
      acceptSender.mockReset().mockResolvedValue(sender);
      setCalls({ acceptSender });
      render(<AcceptSenderDrawer sender={stranger} onAccepted={() => undefined} onClose={() => undefined} />);
      await writeInto(screen.getByLabelText('Name'), 'North gateway');
      await userEvent.click(screen.getByRole('checkbox', { name: /Reaches trial patients only/ }));
      await userEvent.click(screen.getByRole('button', { name: 'Accept sender' }));
      await waitFor(() => expect(acceptSender).toHaveBeenCalled());
      expect(acceptSender.mock.lastCall?.[0].body).toMatchObject({ isTrial: true });
    });

    it('keeps what was typed if the address is refused', async () => {
      acceptSender.mockReset().mockRejectedValue(
        new ApiFailure('invalid', 'address: does not hold 10.1.9.9, from where it sends', {
          status: 422,
          fields: { address: 'does not hold 10.1.9.9, from where it sends' },
        }),
      );
      setCalls({ acceptSender });
      render(<AcceptSenderDrawer sender={stranger} onAccepted={() => undefined} onClose={() => undefined} />);
      await writeInto(screen.getByLabelText('Name'), 'North gateway');
      await userEvent.click(screen.getByRole('button', { name: 'Accept sender' }));
      await expect(screen.findByText('Address does not hold 10.1.9.9, from where it sends')).resolves.toBeTruthy();
      expect(screen.getByLabelText<HTMLInputElement>('Name').value).toBe('North gateway');
    });
  });
});

describe('MappingsScreen', () => {
  const proposeBedMapping = callMock<'proposeBedMapping'>();
  const confirmMapping = callMock<'confirmMapping'>();
  const rejectMapping = callMock<'rejectMapping'>();
  const endBedMapping = callMock<'endBedMapping'>();
  const proposeCodeMapping = callMock<'proposeCodeMapping'>();
  const undoCodeMapping = callMock<'undoCodeMapping'>();
  const listed = { items: [], total: 0, codes: [], shown: {} };
  const by = { by: { id: 3, name: 'Tessa Technician' }, at: secondsAgo(60) };
  const unknown: SenderBed = { senderId: 4, sender: 'North gateway', bed: 'ICU^^7', unmapped: 12, mapping: null };
  const proposed: SenderBed = {
    ...unknown,
    bed: 'ICU^^8',
    mapping: { id: 9, unit: 'North', bed: '8', proposed: by, confirmed: null, canConfirm: true },
  };
  const confirmed: SenderBed = {
    ...unknown,
    bed: 'ICU^^9',
    mapping: {
      id: 10,
      unit: 'North',
      bed: '9',
      proposed: by,
      confirmed: { by: { id: 5, name: 'Phil Physician' }, at: secondsAgo(30) },
      canConfirm: false,
    },
  };

  const percent = { id: '%', text: '', system: '' };
  const unknownCode: SenderCode = {
    senderId: 4,
    sender: 'North gateway',
    code: { id: 'SAT', text: 'Saturation', system: 'L' },
    unmapped: 40,
    last: [97, 96, 140].map((value) => ({ value, unit: percent })),
    mapping: null,
  };
  const spo2 = { kind: 'spo2', isUnitless: false } as const;
  const proposedCode: SenderCode = {
    ...unknownCode,
    mapping: { id: 21, ...spo2, proposed: by, confirmed: null, canConfirm: true, earlier: null },
  };
  const confirmedCode: SenderCode = {
    ...proposedCode,
    mapping: {
      ...{ id: 22, ...spo2, proposed: by, canConfirm: false, earlier: 'reading' },
      confirmed: { by: { id: 5, name: 'Phil Physician' }, at: secondsAgo(30) },
    },
  };

  function show(items: SenderBed[], user = inventedUser({ type: 'physician' }), codes: SenderCode[] = []) {
    for (const mock of [
      ...[proposeBedMapping, endBedMapping, confirmMapping],
      ...[proposeCodeMapping, undoCodeMapping, rejectMapping],
    ]) {
      mock.mockReset().mockResolvedValue(listed);
    }
    const ofCodes = { proposeCodeMapping, undoCodeMapping };
    setCalls({ proposeBedMapping, endBedMapping, confirmMapping, rejectMapping, ...ofCodes });
    const shown = { spo2: { count: 24, min: 88, middle: 96, max: 99 } };
    setReads({ listMappings: answered({ items, total: items.length, codes, shown }) });
    return render(<MappingsScreen user={user} />);
  }
  const row = (name: RegExp) => screen.getByRole('row', { name });

  describe('MappingsScreen', () => {
    it('says that no sender needs one', () => {
      show([]);
      expect(screen.getByText('No sender of this site has sent values by bed alone.')).toBeTruthy();
      expect(screen.getByText('No sender of this site has sent a code that is not known.')).toBeTruthy();
    });

    it('says of each bed what becomes of its values, and offers a clinician no proposal', () => {
      show([unknown, proposed, confirmed]);
      expect(within(row(/^ICU\^\^7/)).queryByRole('button')).toBeNull();
      expect(row(/^ICU\^\^7 North gateway 12 Not known Refused/)).toBeTruthy();
      expect(row(/North 8 Proposed by Tessa Technician, waits for a physician or a ward lead/)).toBeTruthy();
      expect(row(/North 9 Confirmed by Phil Physician since /)).toBeTruthy();
      expect(within(row(/^ICU\^\^9/)).queryByRole('button', { name: /^Confirm/ })).toBeNull();
    });

    it('confirms a proposal only after the question, and says why it was refused', async () => {
      show([proposed]);
      confirmMapping.mockRejectedValue(new ApiFailure('mapping_ended', 'This mapping has ended.', { status: 409 }));
      await userEvent.click(screen.getByRole('button', { name: 'Confirm that ICU^^8 is North 8' }));
      expect(confirmMapping).not.toHaveBeenCalled();
      expect(screen.getByText(/Its values then are those of the patient there\./)).toBeTruthy();
      await userEvent.click(await screen.findByRole('button', { name: 'Confirm' }));
      await waitFor(() => expect(confirmMapping).toHaveBeenCalledWith({ params: { id: 9 } }));
      await expect(screen.findByText('Not done. This mapping has ended.')).resolves.toBeTruthy();
    });

    it('rejects a proposal, and ends a mapping, only after the question', async () => {
      show([proposed, confirmed]);
      await userEvent.click(screen.getByRole('button', { name: 'Reject that ICU^^8 is North 8' }));
      expect(rejectMapping).not.toHaveBeenCalled();
      await userEvent.click(await screen.findByRole('button', { name: 'Reject' }));
      await waitFor(() => expect(rejectMapping).toHaveBeenCalledWith({ params: { id: 9 } }));
      await userEvent.click(screen.getByRole('button', { name: 'End that ICU^^9 is North 9' }));
      expect(endBedMapping).not.toHaveBeenCalled();
      await userEvent.click(await screen.findByRole('button', { name: 'End' }));
      await waitFor(() => expect(endBedMapping).toHaveBeenCalledWith({ params: { id: 10 } }));
    });

    it('keeps each bed and code in its place while the page is open, whatever is confirmed, and adds new ones', () => {
      const other: SenderCode = { ...unknownCode, code: { ...unknownCode.code, id: 'TEMP' } };
      const { rerender } = show([unknown, proposed], undefined, [other, proposedCode]);
      const names = () => screen.getAllByRole('rowheader').map(({ textContent }) => textContent);
      const before = ['ICU^^7', 'ICU^^8', 'TEMP^Saturation^L', 'SAT^Saturation^L'];
      expect(names()).toEqual(before);
      const answer = (codes: SenderCode[]) =>
        answered({ items: [{ ...proposed, mapping: confirmed.mapping }, unknown], total: 2, codes, shown: {} });
      setReads({ listMappings: answer([confirmedCode, other]) });
      rerender(<MappingsScreen user={inventedUser({ type: 'physician' })} />);
      expect(names()).toEqual(before);
      const later: SenderCode = { ...unknownCode, code: { ...unknownCode.code, id: 'AWRR' } };
      setReads({ listMappings: answer([later, confirmedCode, other]) });
      rerender(<MappingsScreen user={inventedUser({ type: 'physician' })} />);
      expect(names()).toEqual([...before, 'AWRR^Saturation^L']);
    });

    it('says of each code what becomes of its values', () => {
      const noNumber = { ...unknownCode, code: { ...unknownCode.code, id: 'WAVE' }, last: [] };
      show([], undefined, [unknownCode, noNumber]);
      const name = /^SAT\^Saturation\^L North gateway 40 97 % Not known Not used/;
      expect(within(row(name)).queryByRole('button')).toBeNull();
      expect(row(/^WAVE\^Saturation\^L North gateway 40 No number Not known Not used/)).toBeTruthy();
    });

    it.each([
      ['Earlier values are being read', 'reading'],
      ['Earlier values wait: the key of the messages cannot be read', 'key_missing'],
      ['Earlier values read: 1,234', { values: 1_234, leftOut: 0, unread: 0 }],
      [
        'Earlier values read: 0; of no patient here, or refused: 12; messages that could not be read: 3',
        { values: 0, leftOut: 12, unread: 3 },
      ],
    ] as const)('says of what came before a code was confirmed: %s', (words, earlier) => {
      const { mapping } = confirmedCode;
      show([], undefined, [{ ...confirmedCode, mapping: mapping === null ? null : { ...mapping, earlier } }]);
      expect(screen.getByText(new RegExp(`^${words}`))).toBeTruthy();
    });

    it('asks before a code is confirmed, with what its last values would be and what is shown now', async () => {
      show([], undefined, [proposedCode]);
      await userEvent.click(screen.getByRole('button', { name: 'Confirm that SAT^Saturation^L means SpO2' }));
      const drawer = within(await screen.findByRole('dialog', { name: 'Confirm that SAT^Saturation^L means SpO2' }));
      expect(drawer.getByText('Its last values would be 96 to 97 %. 1 of 3 would not be taken.')).toBeTruthy();
      // As high as the window, whatever the length of what is above it.
      const footer = drawer.getByRole('button', { name: 'Cancel' }).closest('.ant-drawer-footer');
      expect(footer?.contains(drawer.getByRole('button', { name: 'Confirm' }))).toBe(true);
      expect(
        drawer.getByText(
          'SpO2 is taken from 0 to 100 %. 24 patients here have SpO2 88 to 99 % now, 96 % in the middle.',
        ),
      ).toBeTruthy();
      const rows = within(drawer.getByRole('table', { name: 'Its last values' })).getAllByRole('row');
      expect(rows.at(-1)?.textContent).toBe('140 %No value: outside 0 to 100 %');
      expect(confirmMapping).not.toHaveBeenCalled();
      confirmMapping.mockRejectedValueOnce(new ApiFailure('mapping_ended', 'This mapping has ended.', { status: 409 }));
      await userEvent.click(drawer.getByRole('button', { name: 'Confirm' }));
      await expect(drawer.findByText('Not done. This mapping has ended.')).resolves.toBeTruthy();
      await userEvent.click(drawer.getByRole('button', { name: 'Confirm' }));
      await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
      expect(confirmMapping).toHaveBeenLastCalledWith({ params: { id: 21 } });
    });

    it('undoes what a code meant only after the question', async () => {
      show([], undefined, [confirmedCode]);
      await userEvent.click(screen.getByRole('button', { name: 'Undo that SAT^Saturation^L means SpO2' }));
      expect(screen.getByText(/All values that came by it are withdrawn, earlier ones too\./)).toBeTruthy();
      await userEvent.click(await screen.findByRole('button', { name: 'Undo' }));
      await waitFor(() => expect(undoCodeMapping).toHaveBeenCalledWith({ params: { id: 22 } }));
    });

    it('has nothing that a screen reader stumbles over', async () => {
      const technician = inventedUser({ type: 'technician' });
      const { container } = show([unknown, proposed, confirmed], technician, [unknownCode]);
      expect(screen.getByRole('button', { name: 'Propose a vital sign for SAT^Saturation^L' })).toBeTruthy();
      expect(screen.getByRole('button', { name: 'Propose a bed for ICU^^7' })).toBeTruthy();
      await expect(axeViolations(container, 'label-content-name-mismatch')).resolves.toEqual([]);
    });
  });

  describe('ProposeBedDrawer', () => {
    it('proposes a bed of a unit', async () => {
      show([]);
      const onClose = jest.fn();
      const unit = { id: 2, name: 'North', patients: 1, people: 0, isOpen: true };
      setReads({ listUnits: answered({ items: [unit], total: 1 }) });
      render(<ProposeBedDrawer bed={unknown} onClose={onClose} />);
      await userEvent.click(screen.getByRole('combobox', { name: /Unit/ }));
      await userEvent.click(await screen.findByTitle('North'));
      await userEvent.type(screen.getByRole('textbox', { name: /Bed/ }), '7');
      await userEvent.click(screen.getByRole('button', { name: 'Propose' }));
      await waitFor(() => expect(onClose).toHaveBeenCalled());
      expect(proposeBedMapping).toHaveBeenCalledWith({
        body: { senderId: 4, senderBed: 'ICU^^7', unitId: 2, bed: '7' },
      });
    });
  });

  describe('CodeDrawer', () => {
    it('shows what the last values would be as the vital sign that is chosen, and proposes that', async () => {
      show([]);
      const onClose = jest.fn();
      render(<CodeDrawer code={unknownCode} shown={{}} onClose={onClose} />);
      await userEvent.click(screen.getByRole('combobox', { name: /Vital sign/ }));
      await userEvent.click(await screen.findByTitle('SpO2'));
      await expect(
        screen.findByText('SpO2 is taken from 0 to 100 %. No patient here has SpO2 now.'),
      ).resolves.toBeTruthy();
      const rows = within(screen.getByRole('table', { name: 'Its last values' })).getAllByRole('row');
      expect(rows.map(({ textContent }) => textContent)).toEqual([
        'SentWould be',
        '97 %97 %',
        '96 %96 %',
        '140 %No value: outside 0 to 100 %',
      ]);
      await userEvent.click(screen.getByRole('button', { name: 'Propose' }));
      await waitFor(() => expect(onClose).toHaveBeenCalled());
      expect(proposeCodeMapping).toHaveBeenCalledWith({
        body: { senderId: 4, code: { id: 'SAT', text: 'Saturation', system: 'L' }, kind: 'spo2', isUnitless: false },
      });
    });
  });
});
