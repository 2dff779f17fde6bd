import { Button } from 'antd';
import { useState, type ReactNode } from 'react';
import { useCall } from '../../hooks/useCall';
import { useRead } from '../../hooks/useRead';
import { codeText } from '../../lib/hl7/codes';
import { earlierWords, sentText } from '../../lib/mappings/readAs';
import type { Mapping, SenderBed, SenderCode } from '../../lib/mappings/schema';
import { can } from '../../lib/session/can';
import type { User } from '../../lib/session/schema';
import { formatDayAndTime } from '../../lib/time/formatTime';
import { kinds } from '../../lib/vitals/kinds';
import { AsyncView } from '../ui/AsyncView';
import { ConfirmButton } from '../ui/ConfirmButton';
import { FormFailure } from '../ui/FormFailure';
import { ListSkeleton } from '../ui/ListSkeleton';
import { onDemand } from '../ui/onDemand';
import { useAction } from '../ui/useAction';
import { AdminNavigation } from './AdminNavigation';
import { AdminTable } from './AdminTable';
import styles from './admin.module.css';

/** Says how far a mapping is; `none`: what becomes of the values without one. */
function mappingState(mapping: Mapping | null, none: string, timeZone: string): string {
  if (mapping === null) {
    return none;
  }
  const { proposed, confirmed } = mapping;
  return confirmed === null
    ? `Proposed by ${proposed.by.name}, waits for a physician or a ward lead`
    : `Confirmed by ${confirmed.by.name} since ${formatDayAndTime(Date.parse(confirmed.at), timeZone)}`;
}

const ProposeBedDrawer = onDemand(() => import('./MappingDrawers').then((module) => module.ProposeBedDrawer));
const CodeDrawer = onDemand(() => import('./MappingDrawers').then((module) => module.CodeDrawer));

/**
 * Returns items in the order in which they came first, new ones at the end: while a page is open, nothing under a
 * pointer moves because something else was done.
 */
function useKeptOrder<Item>(items: readonly Item[], keyOf: (item: Item) => string): Item[] {
  const [keys, setKeys] = useState<readonly string[]>([]);
  const known = new Set(keys);
  const added = items.map(keyOf).filter((key) => !known.has(key));
  const order = added.length === 0 ? keys : [...keys, ...added];
  if (order !== keys) {
    setKeys(order);
  }
  const place = new Map(order.map((key, index) => [key, index]));
  return [...items].sort((a, b) => (place.get(keyOf(a)) ?? 0) - (place.get(keyOf(b)) ?? 0));
}

/**
 * What the beds and codes of HL7 senders mean here. Who knows the equipment proposes, who knows the patients confirms.
 */
export function MappingsScreen({ user }: { user: User }) {
  const answer = useRead('listMappings', {});
  const beds = useKeptOrder(answer.data?.items ?? [], bedKey);
  const listedCodes = useKeptOrder(answer.data?.codes ?? [], codeKey);
  const [bed, setBed] = useState<SenderBed | null>(null);
  const [code, setCode] = useState<SenderCode | null>(null);
  return (
    <div className={styles.screen}>
      <AdminNavigation user={user} />
      <h1>Mappings</h1>
      <p className={styles.text}>
        What a monitor sends counts only if it is known what it means. Two people say so: a technician or an
        administrator proposes, a physician or a ward lead confirms. End a mapping that was right until now. One that
        was wrong is undone by a physician or a ward lead: what came by it is withdrawn from the patients.
      </p>
      <AsyncView
        answer={answer}
        skeleton={<ListSkeleton label="Mappings are loading" rows={3} />}
        timeZone={user.site.timeZone}
      >
        {({ shown }) => (
          <div className={styles.screen}>
            <h2>Beds</h2>
            <p className={styles.text}>
              Some monitors send no patient number, only the bed. Their values are given to the patient who is in that
              bed. Those of a bed that is not mapped are refused.
            </p>
            {beds.length === 0 ? (
              <p className={styles.text}>No sender of this site has sent values by bed alone.</p>
            ) : (
              <AdminTable label="Beds" columns={bedColumns} hasActions region="Beds">
                {beds.map((item) => (
                  <BedRow
                    key={bedKey(item)}
                    item={item}
                    user={user}
                    onOpen={() => {
                      setBed(item);
                    }}
                  />
                ))}
              </AdminTable>
            )}
            <h2>Codes</h2>
            <p className={styles.text}>
              Values under a code that is not known here are counted, and shown nowhere else. They count from the moment
              at which the code is mapped. Those of the last 30 days are then added to the patients’ records. They raise
              no current alerts.
            </p>
            {listedCodes.length === 0 ? (
              <p className={styles.text}>No sender of this site has sent a code that is not known.</p>
            ) : (
              <AdminTable label="Codes" columns={codeColumns} hasActions region="Codes">
                {listedCodes.map((item) => (
                  <CodeRow
                    key={codeKey(item)}
                    item={item}
                    user={user}
                    onOpen={() => {
                      setCode(item);
                    }}
                  />
                ))}
              </AdminTable>
            )}
            {code === null ? null : (
              <CodeDrawer
                key={codeKey(code)}
                code={code}
                shown={shown}
                onClose={() => {
                  setCode(null);
                }}
              />
            )}
          </div>
        )}
      </AsyncView>
      {bed === null ? null : (
        <ProposeBedDrawer
          key={bedKey(bed)}
          bed={bed}
          onClose={() => {
            setBed(null);
          }}
        />
      )}
    </div>
  );
}

const bedKey = ({ senderId, bed }: SenderBed): string => `${senderId} ${bed}`;
const codeKey = ({ senderId, code }: SenderCode): string => `${senderId} ${codeText(code)}`;

const bedColumns = ['Bed as it is sent', 'Sender', 'Messages refused', 'Bed here', 'State'];
const codeColumns = ['Code as it is sent', 'Sender', 'Values not used', 'Last of these', 'Means here', 'State'];

interface MappingRowProps {
  of: 'Bed' | 'Code';
  user: User;
  /** What is sent, and the cells until the state. */
  name: string;
  cells: readonly (string | number)[];
  mapping: Mapping | null;
  /** "ICU^^7 is North 7": what the mapping says. */
  claim: string;
  /** What becomes of the values without a mapping, and what became of those before it. */
  states: { none: string; earlier?: string };
  /** What ending and undoing it does, as questions. */
  questions: { end: string; undo: string };
  /** Returns the button of who may confirm it. */
  confirm: (action: ReturnType<typeof useAction>, id: number) => ReactNode;
  propose: { label: string; onOpen: () => void };
}

/** A mapping: one person proposes it, another confirms it; it ends, or it was wrong. Each asks first. */
function MappingRow(props: MappingRowProps) {
  const { of, user, name, cells, mapping, claim, states, questions, confirm, propose } = props;
  const [reject, end, undo] = [useCall('rejectMapping'), useCall(`end${of}Mapping`), useCall(`undo${of}Mapping`)];
  const action = useAction();
  const button = (label: string, question: string, work: () => Promise<unknown>) => (
    <ConfirmButton
      label={label}
      name={`${label} that ${claim}`}
      question={question}
      disabled={action.isWaiting}
      onConfirm={() => void action.carryOut(work)}
    />
  );
  const buttonsOf = ({ id, confirmed, canConfirm }: Mapping) => (
    <div className={`${styles.actions} ${styles.oneLine}`}>
      {canConfirm ? confirm(action, id) : null}
      {confirmed === null
        ? button('Reject', `Reject that ${claim}?`, () => reject({ params: { id } }))
        : button('End', questions.end, () => end({ params: { id } }))}
      {confirmed !== null && can(user, 'confirmMappings')
        ? button('Undo', questions.undo, () => undo({ params: { id } }))
        : null}
    </div>
  );
  return (
    <tr className="ant-table-row">
      <th scope="row" className="ant-table-cell">
        {name}
      </th>
      {cells.map((cell, column) => (
        <td key={column} className="ant-table-cell">
          {cell}
        </td>
      ))}
      <td className="ant-table-cell">
        <div>{mappingState(mapping, states.none, user.site.timeZone)}</div>
        <div>{states.earlier}</div>
        <FormFailure failure={action.failure} done="done" />
      </td>
      <td className="ant-table-cell">
        {mapping !== null ? (
          buttonsOf(mapping)
        ) : can(user, 'proposeMappings') ? (
          <Button aria-label={`${propose.label} for ${name}`} onClick={propose.onOpen}>
            {propose.label}
          </Button>
        ) : null}
      </td>
    </tr>
  );
}

interface RowProps<Item> {
  item: Item;
  user: User;
  /** Called to propose what it means, or to confirm what was proposed. */
  onOpen: () => void;
}

function BedRow({ item: { bed, sender, unmapped, mapping }, user, onOpen }: RowProps<SenderBed>) {
  const confirm = useCall('confirmMapping');
  const place = mapping === null ? 'Not known' : `${mapping.unit} ${mapping.bed}`;
  return (
    <MappingRow
      of="Bed"
      {...{ user, name: bed, cells: [sender, unmapped, place], mapping, claim: `${bed} is ${place}` }}
      states={{ none: 'Refused' }}
      questions={{
        end: `End that ${bed} is ${place}? Values that name no patient are refused from now on.`,
        undo: `Was ${bed} never ${place}? All values that came by it are withdrawn from their patients.`,
      }}
      propose={{ label: 'Propose a bed', onOpen }}
      confirm={({ isWaiting, carryOut }, id) => (
        <ConfirmButton
          label="Confirm"
          name={`Confirm that ${bed} is ${place}`}
          question={`Is ${bed} of ${sender} the bed ${place}? Its values then are those of the patient there.`}
          disabled={isWaiting}
          onConfirm={() => void carryOut(() => confirm({ params: { id } }))}
        />
      )}
    />
  );
}

function CodeRow({ item: { code: sent, sender, unmapped, last, mapping }, user, onOpen }: RowProps<SenderCode>) {
  const code = codeText(sent);
  const kind = mapping === null ? 'Not known' : kinds[mapping.kind].label;
  const newest = last[0] === undefined ? 'No number' : sentText(last[0]);
  return (
    <MappingRow
      of="Code"
      {...{ user, name: code, cells: [sender, unmapped, newest, kind], mapping }}
      claim={`${code} means ${kind}`}
      states={{ none: 'Not used', earlier: earlierWords(mapping?.earlier ?? null) }}
      questions={{
        end: `End that ${code} means ${kind}? Its values are not used from now on.`,
        undo: `Was ${code} never ${kind}? All values that came by it are withdrawn, earlier ones too.`,
      }}
      propose={{ label: 'Propose a vital sign', onOpen }}
      confirm={({ isWaiting }) => (
        <Button aria-label={`Confirm that ${code} means ${kind}`} disabled={isWaiting} onClick={onOpen}>
          Confirm
        </Button>
      )}
    />
  );
}
