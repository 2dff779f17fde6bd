import { engines } from '../../test/database';
import { countTurns } from '../../test/countTurns';
import { startTestServer } from '../../test/testServer';
import { exportAudit } from './exportAudit';

const rows = 5_000;
const atOnce = 500;

describe.each(engines)('the file of the audit on %s', (engine) => {
  it('lets others have the thread after each 500 rows, and has every row', async () => {
    const test = await startTestServer(engine);
    const siteId = await test.addSite();
    const { id, ...row } = {
      id: 1,
      at: test.now(),
      site_id: siteId,
      actor: 'system',
      actor_id: null,
      session: null,
      ip: null,
      request_id: null,
      action: 'set_clock',
      object_type: null,
      object_id: null,
      outcome: 'done',
      details: null,
      hash: '',
    };
    for (let first = 0; first < rows; first += atOnce) {
      const part = Array.from({ length: atOnce }, (_, index) => ({ ...row, id: id + first + index }));
      await test.store.db.insertInto('audit').values(part).execute();
    }
    let lines = 0;
    const read = async (): Promise<void> => {
      for await (const part of exportAudit(test.store.db, { siteId, of: 'site' }, {})) {
        lines += part.split('\n').length - 1;
      }
    };
    await expect(countTurns(read)).resolves.toBeGreaterThanOrEqual(rows / atOnce);
    expect(lines).toBe(rows + 1);
    await test.stop();
  });
});
