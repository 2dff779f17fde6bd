import { accept, acknowledge, pauseAudio, reassign, reject, resolve, take } from './actions';
import type { Alert } from './alert';
import { onVersion } from './onVersion';
import { withdraw } from './withdraw';
import { createLife, high, middle, mild, worst } from '../../test/alertLife';

const minute = 60_000;
const nurse = 7;
const other = 8;

const life = () => createLife().take(high);
const versionOf = ({ alert }: { alert: Alert | null }): number => alert?.version ?? 0;

describe('the version of an alert', () => {
  it('begins with 1 and stays while time passes, steps are asked, and users pause or cannot come', () => {
    const alert = life();
    alert.wait(10 * minute);
    alert.act((one, at) => pauseAudio(one, nurse, minute, at)).act((one, at) => reject(one, other, 'busy', at));
    expect(alert.events.map(({ is }) => is)).toContain('asked');
    expect(versionOf(alert)).toBe(1);
  });

  it('grows when a user asks another to take it, and not when the one who was asked cannot come', () => {
    const alert = life().act((one, at) => reassign(one, nurse, other, at));
    expect(versionOf(alert)).toBe(2);
    alert.wait(1_000).act((one, at) => reject(one, other, 'busy', at));
    expect(alert.alert?.reassigned).toBeNull();
    expect(versionOf(alert)).toBe(2);
  });

  it.each([
    ['acknowledges', (alert: Alert, at: number) => acknowledge(alert, nurse, at)],
    ['accepts', (alert: Alert, at: number) => accept(alert, nurse, 1, at)],
    ['takes', (alert: Alert, at: number) => take(alert, nurse, { unitId: 1 }, at)],
    ['resolves', (alert: Alert, at: number) => resolve(alert, nurse, { is: 'artefact', note: '' }, at)],
  ])('grows when a user %s it, and once', (_, action) => {
    expect(versionOf(life().wait(1_000).act(action).wait(5_000))).toBe(2);
  });

  it('grows when the condition ends, begins again, gets worse within a priority, and becomes milder', () => {
    const alert = createLife().take(middle);
    const versions = [versionOf(alert)];
    for (const tier of [high, worst, null, high]) {
      versions.push(versionOf(alert.wait(minute).take(tier)));
    }
    versions.push(versionOf(createLife().take(middle).wait(minute).take(mild)));
    expect(versions).toEqual([1, 2, 3, 4, 5, 2]);
  });
});

describe('an action for a version', () => {
  const seen = (alert: Alert, version: number, by: number, at: number) =>
    onVersion(alert, { version, by, is: 'acknowledged' }, at, (one, now) => acknowledge(one, by, now));

  it('is refused for another version, and for a closed alert', () => {
    const alert = life().wait(minute).take(worst);
    expect(alert.act((one, at) => seen(one, 1, nurse, at)).refused).toBe('alert_changed');
    expect(alert.alert?.acknowledged).toBeNull();
    alert.take(null).act((one, at) => seen(one, 3, nurse, at));
    expect(alert.alert?.closed).not.toBeNull();
    expect(alert.act((one, at) => seen(one, 4, other, at)).refused).toBe('alert_closed');
  });

  it('is done once if its user sends it again, also after it closed the alert', () => {
    const alert = life().wait(minute).take(null);
    const { version = 0 } = alert.alert ?? {};
    alert.act((one, at) => seen(one, version, nurse, at));
    const lines = alert.events.length;
    expect(alert.act((one, at) => seen(one, version, nurse, at)).refused).toBeNull();
    expect(alert.events).toHaveLength(lines);
    expect(alert.act((one, at) => seen(one, version, other, at)).refused).toBe('alert_closed');
  });
});

describe('an action that is taken back', () => {
  const undo = (by: number) => (alert: Alert, at: number) => withdraw(alert, by, at);

  it('is refused to another user, after 15 s, and when something happened', () => {
    const taken = () => life().act((one, at) => take(one, nurse, { unitId: 1 }, at));
    expect(taken().act(undo(other)).refused).toBe('undo_by_somebody_else');
    expect(taken().jump(15_001).act(undo(nurse)).refused).toBe('undo_too_late');
    expect(taken().take(worst).act(undo(nurse)).refused).toBe('alert_changed');
    expect(
      taken()
        .act((one, at) => pauseAudio(one, other, minute, at))
        .act(undo(nurse)).refused,
    ).toBe('alert_changed');
    expect(taken().wait(15_000).act(undo(nurse)).refused).toBeNull();
    expect(life().act(undo(nurse)).refused).toBe('alert_changed');
  });

  it('is refused once a first reading was confirmed since', () => {
    const taken = life().act((one, at) => take(one, nurse, { unitId: 1 }, at)).alert;
    const { undo: done = null } = taken ?? {};
    if (taken === null || done === null) {
      throw new Error('It was not taken');
    }
    const before = { ...done.before, unconfirmedUntil: 5_000 };
    const waits = { ...taken, unconfirmedUntil: 5_000, undo: { ...done, before } };
    expect(typeof withdraw(waits, nurse, 4_999)).toBe('object');
    expect(withdraw(waits, nurse, 5_000)).toBe('alert_changed');
    expect(withdraw({ ...waits, unconfirmedUntil: null }, nurse, 4_999)).toBe('alert_changed');
  });

  it('leaves the acknowledgement of another user, and takes no part of a take back alone', () => {
    const alert = life()
      .act((one, at) => acknowledge(one, other, at))
      .act((one, at) => take(one, nurse, { unitId: 1 }, at))
      .act(undo(nurse));
    expect(alert.alert).toMatchObject({ acknowledged: { by: other }, responsibility: null });
    expect(alert.events.map(({ is }) => is)).not.toContain('acknowledgement_withdrawn');
    const both = life()
      .act((one, at) => take(one, nurse, { unitId: 1 }, at))
      .act(undo(nurse));
    expect(both.alert).toMatchObject({ acknowledged: null, responsibility: null });
  });
});

describe('an alert that another user is asked to take', () => {
  it('asks the next step if no one answers in the first step’s time, and keeps its owner', () => {
    const alert = life()
      .act((one, at) => take(one, nurse, { unitId: 1 }, at))
      .act((one, at) => reassign(one, nurse, other, at));
    const { step = 0 } = alert.alert?.escalation ?? {};
    expect(alert.wait(minute - 1_000).alert?.escalation.step).toBe(step);
    expect(alert.wait(1_000).alert).toMatchObject({ escalation: { step: step + 1 }, responsibility: { by: nurse } });
  });

  it('refuses to ask the user who asks, or who has it', () => {
    const alert = life().act((one, at) => accept(one, other, 1, at));
    expect(alert.act((one, at) => reassign(one, nurse, nurse, at)).refused).toBe('cannot_be_asked');
    expect(alert.act((one, at) => reassign(one, nurse, other, at)).refused).toBe('cannot_be_asked');
  });
});
