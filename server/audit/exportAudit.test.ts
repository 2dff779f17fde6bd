import { countTurns } from '../../test/countTurns';
import { apiEngines, createTestDatabase } from '../../test/database';
import { openStore } from '../db/open';
import { exportAudit } from './exportAudit';

const rows = 5_000;
const atOnce = 500;

describe.each(apiEngines)('the file of the audit on %s', (engine) => {
  it('lets others have the thread after each 500 rows, and has every row', async () => {
    const database = await createTestDatabase(engine, true);
    const { db, close } = await openStore(database);
    const siteId = 1;
    await db.insertInto('sites').values({ id: siteId, name: 'Test ward', time_zone: 'UTC', created_at: 0 }).execute();
    const { id, ...row } = {
      id: 1,
      at: 0,
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
      await db.insertInto('audit').values(part).execute();
    }
    let lines = 0;
    const read = async (): Promise<void> => {
      for await (const part of exportAudit(db, { siteId, of: 'site' }, {})) {
        lines += part.split('\n').length - 1;
      }
    };
    await expect(countTurns(read)).resolves.toBeGreaterThanOrEqual(rows / atOnce);
    expect(lines).toBe(rows + 1);
    await close();
    await database.remove();
  });
});
