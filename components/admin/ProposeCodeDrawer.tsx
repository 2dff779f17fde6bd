import { Checkbox, Form, Select } from 'antd';
import { useCall } from '../../hooks/useCall';
import { codeText } from '../../lib/hl7/codes';
import { mappableKinds, newCodeMapping, type MappingsResponse, type SenderCode } from '../../lib/mappings/schema';
import { kinds } from '../../lib/vitals/kinds';
import { FormDrawer } from '../ui/FormDrawer';
import { FormField } from '../ui/FormField';
import { SchemaForm } from '../ui/SchemaForm';
import styles from './admin.module.css';
import { LastValues } from './LastValues';

const typed = newCodeMapping.pick({ kind: true, isUnitless: true });

interface ProposeCodeDrawerProps {
  code: SenderCode;
  shown: MappingsResponse['shown'];
  onClose: () => void;
}

/** Proposes which vital sign a sender's code means, beside what its last numbers would be then. */
export function ProposeCodeDrawer({ code, shown, onClose }: ProposeCodeDrawerProps) {
  const propose = useCall('proposeCodeMapping');
  return (
    <FormDrawer title={`Propose a vital sign for ${codeText(code.code)}`} onClose={onClose}>
      <div className={styles.drawer}>
        <p className={styles.text}>
          Look it up in the documentation of the monitor: a name that looks alike may be another quantity. Nothing
          changes until a physician or a ward lead confirms it.
        </p>
        <SchemaForm
          schema={typed}
          initial={{ isUnitless: false }}
          send={async (body) => {
            await propose({ body: { ...body, senderId: code.senderId, code: code.code } });
            onClose();
          }}
          refusalText={({ message }) => `Not proposed. ${message}`}
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
