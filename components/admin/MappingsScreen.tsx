import { Button } from 'antd';
import { useState, type ReactNode } from 'react';
import { useCall } from '../../hooks/useCall';
import { useRead } from '../../hooks/useRead';
import { codeText } from '../../lib/hl7/codes';
import { earlierWords, sentText } from '../../lib/mappings/readAs';
import type { MappingsResponse, SenderBed, SenderCode, Mapping } from '../../lib/mappings/schema';
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

interface MappingButtonsProps {
  of: 'Bed' | 'Code';
  /** The button of who may confirm it. */
  children: ReactNode;
  mapping: Mapping;
  user: User;
  /** "ICU^^7 is North 7": what the mapping says. */
  claim: string;
  /** What ending and undoing it does, as questions. */
  questions: { end: string; undo: string };
  action: ReturnType<typeof useAction>;
}

/** Decides on a mapping: another person confirms what one has proposed; it ends, or it was wrong. Each asks first. */
function MappingButtons({ of, children, mapping, user, claim, questions, action }: MappingButtonsProps) {
  const reject = useCall('rejectMapping');
  const end = useCall(`end${of}Mapping`);
  const undo = useCall(`undo${of}Mapping`);
  const { isWaiting, carryOut } = action;
  const isProposal = mapping.confirmed === null;
  const params = { id: mapping.id };
  const endLabel = isProposal ? 'Reject' : 'End';
  return (
    <div className={`${styles.actions} ${styles.oneLine}`}>
      {mapping.canConfirm ? children : null}
      <ConfirmButton
        label={endLabel}
        name={`${endLabel} that ${claim}`}
        question={isProposal ? `Reject that ${claim}?` : questions.end}
        disabled={isWaiting}
        onConfirm={() => void carryOut(() => (isProposal ? reject({ params }) : end({ params })))}
      />
      {isProposal || !can(user, 'confirmMappings') ? null : (
        <ConfirmButton
          label="Undo"
          name={`Undo that ${claim}`}
          question={questions.undo}
          disabled={isWaiting}
          onConfirm={() => void carryOut(() => undo({ params }))}
        />
      )}
    </div>
  );
}

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

const ProposeBedDrawer = onDemand(() => import('./ProposeBedDrawer').then((module) => module.ProposeBedDrawer));
const ConfirmCodeDrawer = onDemand(() => import('./ConfirmCodeDrawer').then((module) => module.ConfirmCodeDrawer));
const ProposeCodeDrawer = onDemand(() => import('./ProposeCodeDrawer').then((module) => module.ProposeCodeDrawer));

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
        isEmpty={() => false}
        skeleton={<ListSkeleton label="Mappings are loading" rows={3} />}
        empty={() => null}
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
                    bed={item}
                    user={user}
                    onPropose={() => {
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
                    code={item}
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

/** Proposes what a code means, or confirms what was proposed. */
function CodeDrawer(props: { code: SenderCode; shown: MappingsResponse['shown']; onClose: () => void }) {
  const { mapping } = props.code;
  return mapping === null ? <ProposeCodeDrawer {...props} /> : <ConfirmCodeDrawer {...props} mapping={mapping} />;
}

const bedColumns = ['Bed as it is sent', 'Sender', 'Messages refused', 'Bed here', 'State'];
const codeColumns = ['Code as it is sent', 'Sender', 'Values not used', 'Last of these', 'Means here', 'State'];

function BedRow({ bed: item, user, onPropose }: { bed: SenderBed; user: User; onPropose: () => void }) {
  const { bed, sender, unmapped, mapping } = item;
  const action = useAction();
  const confirm = useCall('confirmMapping');
  const place = mapping === null ? '' : `${mapping.unit} ${mapping.bed}`;
  return (
    <tr className="ant-table-row">
      <th scope="row" className="ant-table-cell">
        {bed}
      </th>
      <td className="ant-table-cell">{sender}</td>
      <td className="ant-table-cell">{unmapped}</td>
      <td className="ant-table-cell">{mapping === null ? 'Not known' : place}</td>
      <td className="ant-table-cell">
        {mappingState(mapping, 'Refused', user.site.timeZone)}
        <FormFailure>{action.failure === null ? null : `Not done. ${action.failure.message}`}</FormFailure>
      </td>
      <td className="ant-table-cell">
        {mapping !== null ? (
          <MappingButtons
            of="Bed"
            mapping={mapping}
            user={user}
            claim={`${bed} is ${place}`}
            questions={{
              end: `End that ${bed} is ${place}? Values that name no patient are refused from now on.`,
              undo: `Was ${bed} never ${place}? All values that came by it are withdrawn from their patients.`,
            }}
            action={action}
          >
            <ConfirmButton
              label="Confirm"
              name={`Confirm that ${bed} is ${place}`}
              question={`Is ${bed} of ${sender} the bed ${place}? Its values then are those of the patient there.`}
              disabled={action.isWaiting}
              onConfirm={() => void action.carryOut(() => confirm({ params: { id: mapping.id } }))}
            />
          </MappingButtons>
        ) : can(user, 'proposeMappings') ? (
          <Button aria-label={`Propose a bed for ${bed}`} onClick={onPropose}>
            Propose a bed
          </Button>
        ) : null}
      </td>
    </tr>
  );
}

interface CodeRowProps {
  code: SenderCode;
  user: User;
  /** Called to propose what it means, or to confirm what was proposed. */
  onOpen: () => void;
}

function CodeRow({ code: item, user, onOpen }: CodeRowProps) {
  const { sender, unmapped, last, mapping } = item;
  const action = useAction();
  const code = codeText(item.code);
  const kind = mapping === null ? '' : kinds[mapping.kind].label;
  const [newest] = last;
  return (
    <tr className="ant-table-row">
      <th scope="row" className="ant-table-cell">
        {code}
      </th>
      <td className="ant-table-cell">{sender}</td>
      <td className="ant-table-cell">{unmapped}</td>
      <td className="ant-table-cell">{newest === undefined ? 'No number' : sentText(newest)}</td>
      <td className="ant-table-cell">{mapping === null ? 'Not known' : kind}</td>
      <td className="ant-table-cell">
        <div>{mappingState(mapping, 'Not used', user.site.timeZone)}</div>
        <div>{earlierWords(mapping?.earlier ?? null)}</div>
        <FormFailure>{action.failure === null ? null : `Not done. ${action.failure.message}`}</FormFailure>
      </td>
      <td className="ant-table-cell">
        {mapping !== null ? (
          <MappingButtons
            of="Code"
            mapping={mapping}
            user={user}
            claim={`${code} means ${kind}`}
            questions={{
              end: `End that ${code} means ${kind}? Its values are not used from now on.`,
              undo: `Was ${code} never ${kind}? All values that came by it are withdrawn, earlier ones too.`,
            }}
            action={action}
          >
            <Button aria-label={`Confirm that ${code} means ${kind}`} disabled={action.isWaiting} onClick={onOpen}>
              Confirm
            </Button>
          </MappingButtons>
        ) : can(user, 'proposeMappings') ? (
          <Button aria-label={`Propose a vital sign for ${code}`} onClick={onOpen}>
            Propose a vital sign
          </Button>
        ) : null}
      </td>
    </tr>
  );
}
