import { Button, Checkbox, Drawer, Form, Select } from 'antd';
import { useCall } from '../../hooks/useCall';
import { useRead } from '../../hooks/useRead';
import { codeText } from '../../lib/hl7/codes';
import { lastReadAs, readAs, sentText, shownWords, takenRange } from '../../lib/mappings/readAs';
import {
  mappableKinds,
  newBedMapping,
  newCodeMapping,
  type MappingsResponse,
  type SenderBed,
  type SenderCode,
} from '../../lib/mappings/schema';
import { kinds, type VitalKind } from '../../lib/vitals/kinds';
import { FormDrawer } from '../ui/FormDrawer';
import { FormFailure } from '../ui/FormFailure';
import { FormField } from '../ui/FormField';
import { SchemaForm } from '../ui/SchemaForm';
import { useAction } from '../ui/useAction';
import styles from './admin.module.css';

const typedBed = newBedMapping.pick({ unitId: true, bed: true });

/** Proposes which bed of the site a sender's bed is. */
export function ProposeBedDrawer({ bed, onClose }: { bed: SenderBed; onClose: () => void }) {
  const propose = useCall('proposeBedMapping');
  const { data } = useRead('listUnits', {});
  return (
    <FormDrawer title={`Propose a bed for ${bed.bed}`} onClose={onClose}>
      <div className={styles.drawer}>
        <p className={styles.text}>
          Look at the monitor itself: values of the wrong bed would be shown under another patient. Nothing changes
          until a physician or a ward lead confirms it.
        </p>
        <SchemaForm
          schema={typedBed}
          initial={{ bed: '' }}
          send={async (body) => {
            await propose({ body: { ...body, senderId: bed.senderId, senderBed: bed.bed } });
            onClose();
          }}
          done="proposed"
          submitLabel="Propose"
          isEmptiedWhenSent
        >
          <FormField name="unitId" label="Unit">
            <Select
              showSearch={{ optionFilterProp: 'label' }}
              options={(data?.items ?? []).map(({ id, name }) => ({ value: id, label: name }))}
            />
          </FormField>
          <FormField name="bed" label="Bed" hint="As it is written for the patients there" />
        </SchemaForm>
      </div>
    </FormDrawer>
  );
}

interface CodeDrawerProps {
  code: SenderCode;
  shown: MappingsResponse['shown'];
  onClose: () => void;
}
type CodeMapping = NonNullable<SenderCode['mapping']>;

/** Proposes what a code means, or confirms what was proposed. */
export function CodeDrawer(props: CodeDrawerProps) {
  const { mapping } = props.code;
  return mapping === null ? <ProposeCodeDrawer {...props} /> : <ConfirmCodeDrawer {...props} mapping={mapping} />;
}

const typedCode = newCodeMapping.pick({ kind: true, isUnitless: true });

/** Proposes which vital sign a sender's code means, beside what its last numbers would be then. */
function ProposeCodeDrawer({ code, shown, onClose }: CodeDrawerProps) {
  const propose = useCall('proposeCodeMapping');
  return (
    <FormDrawer title={`Propose a vital sign for ${codeText(code.code)}`} onClose={onClose}>
      <div className={styles.drawer}>
        <p className={styles.text}>
          Look it up in the documentation of the monitor: a name that looks alike may be another quantity. Nothing
          changes until a physician or a ward lead confirms it.
        </p>
        <SchemaForm
          schema={typedCode}
          initial={{ isUnitless: false }}
          send={async (body) => {
            await propose({ body: { ...body, senderId: code.senderId, code: code.code } });
            onClose();
          }}
          done="proposed"
          submitLabel="Propose"
          isEmptiedWhenSent
        >
          <FormField name="kind" label="Vital sign">
            <Select options={mappableKinds.map((kind) => ({ value: kind, label: kinds[kind].label }))} />
          </FormField>
          <FormField name="isUnitless" label="Values without a unit" valuePropName="checked" isOptional>
            <Checkbox>They are in the unit of this vital sign</Checkbox>
          </FormField>
          <Form.Item noStyle shouldUpdate>
            {({ getFieldValue }) => {
              const kind = mappableKinds.find((name) => name === getFieldValue('kind'));
              const isUnitless = getFieldValue('isUnitless') === true;
              return <LastValues code={code} kind={kind} isUnitless={isUnitless} shown={shown} />;
            }}
          </Form.Item>
        </SchemaForm>
      </div>
    </FormDrawer>
  );
}

/** Asks whether a sender's code means a vital sign, beside what its last numbers would be then. */
function ConfirmCodeDrawer({ code, mapping, shown, onClose }: CodeDrawerProps & { mapping: CodeMapping }) {
  const confirm = useCall('confirmMapping');
  const { isWaiting, failure, carryOut } = useAction();
  const claim = `${codeText(code.code)} means ${kinds[mapping.kind].label}`;
  const decide = async (): Promise<void> => {
    if (await carryOut(() => confirm({ params: { id: mapping.id } }))) {
      onClose();
    }
  };
  return (
    <Drawer
      title={`Confirm that ${claim}`}
      size={480}
      open
      mask={{ closable: false }}
      onClose={onClose}
      classNames={{ footer: styles.drawerFooter }}
      // The numbers are many: what ends the drawer stays in sight.
      footer={
        <div className={styles.drawer}>
          <FormFailure failure={failure} done="done" />
          <div className={styles.actions}>
            <Button type="primary" disabled={isWaiting} onClick={() => void decide()}>
              Confirm
            </Button>
            <Button onClick={onClose}>Cancel</Button>
          </div>
        </div>
      }
    >
      <div className={styles.drawer}>
        <p className={styles.text}>
          {mapping.proposed.by.name} proposed it for {code.sender}. Once you confirm, its values are charted for the
          patients, and those of the last 30 days are added to their records.
          {mapping.isUnitless ? ' Values without a unit are taken too.' : ''}
        </p>
        {code.last.length === 0 ? null : <p className={styles.text}>{lastReadAs(mapping, code.last)}</p>}
        <LastValues code={code} kind={mapping.kind} isUnitless={mapping.isUnitless} shown={shown} />
      </div>
    </Drawer>
  );
}

interface LastValuesProps {
  code: SenderCode;
  kind: VitalKind | undefined;
  isUnitless: boolean;
  shown: MappingsResponse['shown'];
}

/** The last numbers of a code against the range of a vital sign, beside what that shows in the site now. */
function LastValues({ code: { last }, kind, isUnitless, shown }: LastValuesProps) {
  const range =
    kind === undefined ? null : (
      <p className={styles.text}>
        {kinds[kind].label} is taken from {takenRange(kind)}. {shownWords(kind, shown[kind])}
      </p>
    );
  if (last.length === 0) {
    return (
      <>
        {range}
        <p className={styles.text}>It has sent no number since the server started.</p>
      </>
    );
  }
  return (
    <>
      {range}
      <table className={styles.lastValues} aria-label="Its last values">
        <thead>
          <tr>
            <th scope="col">Sent</th>
            <th scope="col">Would be</th>
          </tr>
        </thead>
        <tbody>
          {last.map((sent, index) => (
            // They have no name, and no order but this one.
            <tr key={index}>
              <td>{sentText(sent)}</td>
              <td>{kind === undefined ? '' : readAs({ kind, isUnitless }, sent)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </>
  );
}
