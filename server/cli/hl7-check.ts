import { senderSettings, type SenderSettings } from '../../lib/hl7/senderSettings';
import { senderSettingsResponse } from '../../lib/interfaces/schema';
import { readJson } from '../../lib/readJson';
import { checkMessages } from '../hl7/checkMessages';
import { checkHelpText } from '../hl7Send/helpText';
import { readFrames } from '../hl7Send/planMessages';
import { readArgs } from './readArgs';
import { readUserFile } from './readUserFile';
import { runCommand } from './runCommand';
import { UsageError } from './UsageError';

const options = { settings: { type: 'string' } } as const;

/** Takes the settings of a sender, or the answer of `GET /api/v2/admin/senders/settings` of a site with one sender. */
function readSettings(path: string): SenderSettings {
  const text = readUserFile(path).toString();
  const [listed, ...others] = readJson(senderSettingsResponse, text)?.items ?? [];
  const settings = readJson(senderSettings, text) ?? (others.length === 0 ? listed?.settings : undefined);
  if (settings === undefined) {
    throw new UsageError(`${path} does not have the settings of one sender`);
  }
  return settings;
}

/** Returns the exit code. */
async function check(): Promise<0 | 1> {
  const { values, positionals } = readArgs(process.argv.slice(2), options, { takesWords: true });
  const [path, ...more] = positionals;
  if (path === undefined || more.length > 0) {
    throw new UsageError('Name one file to check');
  }
  const frames = readFrames(readUserFile(path));
  if (frames.length === 0) {
    throw new UsageError(`${path} has no HL7 message`);
  }
  const settings = values.settings === undefined ? null : readSettings(values.settings);
  const site = { timeZone: new Intl.DateTimeFormat().resolvedOptions().timeZone, receivedAt: Date.now() };
  const { lines, isWhole } = await checkMessages(frames, settings, site);
  process.stdout.write(`${lines.join('\n')}\n`);
  return isWhole ? 0 : 1;
}

runCommand('hl7:check', checkHelpText, check);
