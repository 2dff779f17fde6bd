import { crashRounds } from '../../test/crashRounds';
import { expectNoAlertLost } from '../../test/expectNoAlertLost';

const kills = crashRounds(6);

// A file for each engine, because the two need about as long and run side by side.
it(
  'loses and doubles no alert on SQLite, however often the process dies while values come in',
  async () => {
    await expectNoAlertLost('sqlite', { kills });
  },
  540_000 + kills * 15_000,
);
