import { inventedAlert } from '../../test/inventedAlert';
import { readAlertConflict } from './readAlertConflict';

describe('the alert of a refused action', () => {
  const alert = inventedAlert(7);
  const lastAct = { is: 'acknowledged', at: alert.startedAt, by: { id: 2, name: 'Ada Zorn' } };

  it('is none if the refusal names none, or one that this release does not know', () => {
    expect(readAlertConflict(undefined, undefined)).toBeNull();
    expect(readAlertConflict({ ...alert, priority: 'purple' }, lastAct)).toBeNull();
  });

  it('comes without the last act if that is one that this release does not know', () => {
    expect(readAlertConflict(alert, { ...lastAct, is: 'sung' })).toEqual({ alert, lastAct: null });
    expect(readAlertConflict(alert, undefined)).toEqual({ alert, lastAct: null });
  });

  it('comes with what a user last did to it', () => {
    expect(readAlertConflict(alert, lastAct)).toEqual({ alert, lastAct });
    expect(readAlertConflict(alert, null)).toEqual({ alert, lastAct: null });
  });
});
