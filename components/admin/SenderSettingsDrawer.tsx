import { Button, Checkbox, Input, Select } from 'antd';
import { useState } from 'react';
import { useCall } from '../../hooks/useCall';
import { choicesOf, type Choices } from '../../lib/hl7/seenStructure';
import { offeredCharsets, quarantineAnswers, senderSettings, type SenderSettings } from '../../lib/hl7/senderSettings';
import type { ListedSettings } from '../../lib/interfaces/schema';
import {
  answerWords,
  besideWords,
  identifierWords,
  quarantineWords,
  questionNames,
  sentinelWords,
  settingsQuestions,
  statusWords,
  textWords,
  unitWords,
} from '../../lib/interfaces/settingsWords';
import { FormDrawer } from '../ui/FormDrawer';
import { FormFailure } from '../ui/FormFailure';
import { FormField } from '../ui/FormField';
import { SchemaForm } from '../ui/SchemaForm';
import { useAction } from '../ui/useAction';
import styles from './admin.module.css';
import { SeenList } from './SeenList';

interface DrawerProps {
  sender: ListedSettings;
  onClose: () => void;
}

/** The answers about a sender: proposes them, or shows what is proposed. It shows what was so when it was opened. */
export function SenderSettingsDrawer({ sender, onClose }: DrawerProps) {
  const [shown] = useState(sender);
  const { proposal } = shown;
  return proposal === null ? (
    <ProposeSettings sender={shown} onClose={onClose} />
  ) : (
    <DecideSettings sender={shown} proposal={proposal} onClose={onClose} />
  );
}

/** The answers as fields of the form have them: of lists the chosen items, as JSON. */
type Typed = Omit<SenderSettings, keyof Choices | 'timeZone'> &
  Record<keyof Choices, string[]> & {
    /** '': the site's. */
    timeZone: string;
  };

const written = (items: readonly unknown[]): string[] => items.map((item) => JSON.stringify(item));
const readFrom = (texts: readonly string[]): unknown[] => texts.map((text): unknown => JSON.parse(text));

/** Returns the items of a list to choose from, each once. */
const optionsOf = <Item,>(items: readonly Item[], words: (item: Item) => string) =>
  [...new Map(items.map((item) => [JSON.stringify(item), words(item)]))].map(([value, label]) => ({ value, label }));

/** Asks what the messages of a sender do not say, with a proposed answer each. */
function ProposeSettings({ sender, onClose }: DrawerProps) {
  const propose = useCall('proposeSenderSettings');
  const { id, name, version, settings: held, suggested, seen } = sender;
  const { identifiers, sentinels, texts, missingUnits, coreTemperatures: probes } = choicesOf(suggested, seen);
  const initial: Typed = {
    ...suggested,
    identifiers: written(suggested.identifiers),
    sentinels: written(suggested.sentinels),
    texts: written(suggested.texts?.filter(({ isMeant }) => isMeant) ?? []),
    missingUnits: written(suggested.missingUnits),
    timeZone: suggested.timeZone ?? '',
  };
  const bodyOf = (typed: Typed): unknown => ({
    ...typed,
    identifiers: readFrom(typed.identifiers),
    sentinels: readFrom(typed.sentinels),
    texts: texts?.map((one) => ({ ...one, isMeant: typed.texts.includes(JSON.stringify(one)) })) ?? null,
    missingUnits: readFrom(typed.missingUnits),
    timeZone: typed.timeZone.trim() === '' ? null : typed.timeZone.trim(),
  });
  const answers = quarantineAnswers
    .filter((value) => value !== 'AA' || Object.values(held.quarantine).includes('AA'))
    .map((value) => ({ value, label: quarantineWords[value] }));
  const { people } = seen;
  return (
    <FormDrawer title={`Questions about ${name}`} onClose={onClose}>
      <div className={styles.drawer}>
        <p className={styles.text}>
          {version === 0 ? 'No values of it are used yet. ' : ''}Use the gateway’s documentation. A physician or a ward
          lead confirms the answers; they apply from the next message on.
        </p>
        <SeenList seen={seen} />
        {people.all > 0 && people.birthDates === 0 && (people.familyNames === 0 || people.givenNames === 0) ? (
          <p className={styles.warning}>
            Neither a birth date nor a family name with first initial is sent. Without one of them no MRN is accepted.
          </p>
        ) : null}
        <SchemaForm<Typed, SenderSettings>
          schema={senderSettings}
          initial={initial}
          bodyOf={bodyOf}
          send={async (settings) => {
            await propose({ params: { id }, body: { basedOn: version, settings } });
            onClose();
          }}
          done="proposed"
          submitLabel="Propose"
          isEmptiedWhenSent
        >
          <FormField
            name="identifiers"
            label={settingsQuestions.identifiers}
            hint="Type (PID-3.5) and authority (PID-3.4) as they are sent. An unticked number is of no one known here."
            isOptional
          >
            <Checkbox.Group options={optionsOf(identifiers, identifierWords)} />
          </FormField>
          <FormField
            name="beside"
            label={settingsQuestions.beside}
            hint="A year of birth is not enough. A name in another script is ignored if the full birth date agrees."
          >
            <Select
              options={(held.beside === 'asSent' ? (['second', 'asSent'] as const) : (['second'] as const)).map(
                (value) => ({ value, label: besideWords[value] }),
              )}
            />
          </FormField>
          <FormField
            name="bedRoute"
            label={settingsQuestions.bedRoute}
            hint="Only where admissions, moves and discharges are entered here as they happen."
            valuePropName="checked"
            isOptional
          >
            <Checkbox>Match by bed, once its mapping is confirmed</Checkbox>
          </FormField>
          <FormField
            name="timeZone"
            label={settingsQuestions.timeZone}
            hint="Such as Europe/London. Leave empty for the site’s zone. An offset in MSH-7 takes precedence."
            isOptional
          >
            <Input autoComplete="off" />
          </FormField>
          <FormField name="charset" label={settingsQuestions.charset}>
            <Select options={offeredCharsets.map((value) => ({ value, label: value === '' ? 'UTF-8' : value }))} />
          </FormField>
          <FormField
            name="missingStatus"
            label={settingsQuestions.missingStatus}
            hint={`${seen.withoutStatus} of ${seen.messages} messages leave it out.`}
          >
            <Select options={(['noValue', 'F'] as const).map((value) => ({ value, label: statusWords[value] }))} />
          </FormField>
          {texts === null || texts.length === 0 ? null : (
            <FormField
              name="texts"
              label={settingsQuestions.texts}
              hint="Tick those that mean the vital sign of their number. Values with unticked texts are not used."
              isOptional
            >
              <Checkbox.Group options={optionsOf(texts, textWords)} />
            </FormField>
          )}
          {missingUnits.length === 0 ? null : (
            <FormField
              name="missingUnits"
              label={settingsQuestions.missingUnits}
              hint="Values with unticked units are not used."
              isOptional
            >
              <Checkbox.Group options={optionsOf(missingUnits, unitWords)} />
            </FormField>
          )}
          {probes.length === 0 ? null : (
            <FormField
              name="coreTemperatures"
              label={settingsQuestions.coreTemperatures}
              hint="Tick the probes (OBX-4) that measure the core. Values of the others are not used."
              isOptional
            >
              <Checkbox.Group
                options={probes.map((value) => ({ value, label: value === '' ? 'Without OBX-4' : value }))}
              />
            </FormField>
          )}
          {sentinels.length === 0 ? null : (
            <FormField
              name="sentinels"
              label={settingsQuestions.sentinels}
              hint="Impossible values always count as no signal. 255 beside an SpO2 counts as a rate unless ticked."
              isOptional
            >
              <Checkbox.Group options={optionsOf(sentinels, sentinelWords)} />
            </FormField>
          )}
          <FormField
            name="isZeroRateNoSignal"
            label={settingsQuestions.isZeroRateNoSignal}
            hint="Only if the documentation says that 0 means leads off. A real asystole raises no alert then."
            valuePropName="checked"
            isOptional
          >
            <Checkbox>Means that there is no signal, not asystole</Checkbox>
          </FormField>
          <FormField name={['quarantine', 'partly']} label="Answer if part of a message is quarantined">
            <Select options={answers} />
          </FormField>
          <FormField
            name={['quarantine', 'wholly']}
            label="Answer if the whole message is quarantined"
            hint="Choose AA if the gateway stops or repeats after AE."
          >
            <Select options={answers} />
          </FormField>
        </SchemaForm>
      </div>
    </FormDrawer>
  );
}

/** Shows what is proposed for a sender beside what holds, to confirm it or not. */
function DecideSettings({
  sender,
  proposal,
  onClose,
}: DrawerProps & { proposal: NonNullable<ListedSettings['proposal']> }) {
  const [confirm, reject] = [useCall('confirmSenderSettings'), useCall('rejectSenderSettings')];
  const { isWaiting, failure, carryOut } = useAction();
  const [before, after] = [answerWords(sender.settings), answerWords(proposal.wanted)];
  const decide = async (call: typeof confirm): Promise<void> => {
    if (await carryOut(() => call({ params: { id: proposal.id } }))) {
      onClose();
    }
  };
  return (
    <FormDrawer title={`Answers about ${sender.name}`} onClose={onClose}>
      <div className={styles.drawer}>
        <p className={styles.text}>
          Proposed by {proposal.by.name}. Once confirmed, they apply from the next message on and decide which patient
          gets the values. Messages that are wholly in quarantine are then read again, for the charts.
        </p>
        <table className={styles.lastValues} aria-label="Answers">
          <thead>
            <tr>
              <th scope="col">Question</th>
              <th scope="col">Answer</th>
            </tr>
          </thead>
          <tbody>
            {questionNames.map((question) => (
              <tr key={question}>
                <td>{settingsQuestions[question]}</td>
                <td>
                  {before[question] === after[question] ? (
                    after[question]
                  ) : (
                    <>
                      <strong>{after[question]}</strong>
                      <div className={styles.quiet}>Until now: {before[question]}</div>
                    </>
                  )}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
        <FormFailure failure={failure} done="done" />
        <div className={styles.actions}>
          {proposal.canConfirm ? (
            <Button type="primary" disabled={isWaiting} onClick={() => void decide(confirm)}>
              Confirm
            </Button>
          ) : null}
          {proposal.canReject ? (
            <Button disabled={isWaiting} onClick={() => void decide(reject)}>
              Reject
            </Button>
          ) : null}
          <Button onClick={onClose}>Cancel</Button>
        </div>
      </div>
    </FormDrawer>
  );
}
