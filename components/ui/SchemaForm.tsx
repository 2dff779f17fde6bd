import { Button, Form, type FormInstance, type FormRule } from 'antd';
import { useContext, useEffect, useId, useMemo, useRef, useState, type ReactNode } from 'react';
import type { z } from 'zod';
import type { ApiFailure } from '../../lib/browser/client';
import { ConfirmButton } from './ConfirmButton';
import { fieldErrors, type FieldErrors } from './fieldErrors';
import { FormFailure } from './FormFailure';
import { FormRuleContext, LossContext } from './formContext';
import { RefusalText } from './RefusalText';
import styles from './SchemaForm.module.css';
import type { Seen } from './useSeen';

interface SchemaFormProps<Typed extends object, Body> {
  /** Checks the body before it is sent, as the server does. */
  schema: z.ZodType<Body>;
  /** The first values of the fields. The names are those of the body, so that each error finds its field. */
  initial: Typed;
  /** The state that `initial` is from, if others may change it: a refusal because of that offers the present one. */
  seen?: Seen<{ version: number }>;
  /**
   * The version of the state that `initial` is from. With another one each part of the form in which nothing was typed
   * takes its new value; a part that was typed stays, and says what it is now.
   */
  version?: number;
  /** Makes the body from the typed values; omitted if they are the same. */
  bodyOf?: (typed: Typed) => unknown;
  /** Rejects with `ApiFailure` if it is refused. `confirmed`: the rows that the refusal before asked about. */
  send: (body: Body, typed: Typed, confirmed: readonly number[]) => Promise<void>;
  /** The participle for the words if it is refused: "Not saved. …". */
  done?: string;
  /** What is shown in place of these words. */
  refusalText?: (failure: ApiFailure) => ReactNode;
  submitLabel: string;
  /** What is asked before it is sent, of an act that cannot be undone. */
  question?: string;
  /** The label if sending again confirms what the refusal asked about. */
  confirmLabel?: string;
  /** What was typed in this form before, if the page has kept it. */
  kept?: Typed;
  /** Called with all values when something is typed. */
  onTyped?: (typed: Typed) => void;
  /** Empties the fields after a success. */
  isEmptiedWhenSent?: boolean;
  /** Beside the submit button. */
  actions?: ReactNode;
  children: ReactNode;
}

/** A refusal by the server, with the values that it refused. Values typed since then are not refused yet. */
interface Refusal {
  errors: FieldErrors;
  typed: object;
}
const noRefusal: Refusal = { errors: {}, typed: {} };

/** A spinner for a shorter wait would only flicker. */
const spinnerAfterMs = 300;

/**
 * Returns the rule by which a field of antd's form shows its part of the form's errors. The path is the body's, as the
 * server writes it ("location.unit"); an error inside a list ("shiftStarts.0") belongs to the list's field.
 */
function zodRule(path: string, errorsNow: () => FieldErrors): FormRule {
  return {
    validator: () => {
      const found = Object.entries(errorsNow()).find(([at]) => at === path || at.startsWith(`${path}.`));
      if (found === undefined) {
        return Promise.resolve();
      }
      const [, words] = found;
      // antd puts the field's label in: "Name is empty". "Enter the date of birth" is a sentence already.
      return Promise.reject(new Error(words.startsWith('Enter ') ? words : `\${label} ${words}`));
    },
  };
}

/** A part of a form: a field, or a group of fields that belong together, such as unit and bed. */
interface Part {
  name: string;
  before: string;
  present: unknown;
  typed: unknown;
}

/** Returns the values of a form on a newer state: typed parts stay, all others are as they are now. */
export function rebaseTyped<Values extends object>(typed: Values, before: Values, present: Values): Values {
  const taken = partsOf(typed, before, present).filter((part) => textOf(part.typed) === part.before);
  return { ...typed, ...Object.fromEntries(taken.map(({ name, present: now }) => [name, now])) };
}

/** Returns the parts that were typed while somebody else changed them to another value, with that value. */
export function changedByBoth<Values extends object>(
  typed: Values,
  before: Values,
  present: Values,
): { name: string; present: string | number }[] {
  return partsOf(typed, before, present).flatMap((part) => {
    const now = textOf(part.present);
    const isChanged = now !== part.before && textOf(part.typed) !== part.before && textOf(part.typed) !== now;
    return isChanged && (typeof part.present === 'string' || typeof part.present === 'number')
      ? [{ name: part.name, present: part.present }]
      : [];
  });
}

function partsOf(typed: object, before: object, present: object): Part[] {
  const [typedNow, old] = [
    new Map<string, unknown>(Object.entries(typed)),
    new Map<string, unknown>(Object.entries(before)),
  ];
  return Object.entries(present).map(([name, value]: [string, unknown]) => ({
    name,
    before: textOf(old.get(name)),
    present: value,
    typed: typedNow.get(name),
  }));
}

function textOf(value: unknown): string {
  return JSON.stringify(value) ?? '';
}

/**
 * antd's form with the rules of a schema. Typed values stay if they are refused, a double click sends once, each error
 * is at its field, and the focus moves to the first one.
 */
export function SchemaForm<Typed extends object, Body>({
  schema,
  initial,
  seen,
  version = seen?.state.version,
  kept,
  bodyOf = (typed) => typed,
  send,
  done = 'saved',
  refusalText = (failure) => <RefusalText done={done} failure={failure} seen={seen} />,
  submitLabel,
  question,
  confirmLabel = submitLabel,
  onTyped,
  isEmptiedWhenSent = false,
  actions,
  children,
}: SchemaFormProps<Typed, Body>) {
  const id = useId();
  const [form] = Form.useForm<Typed>();
  const noteLoss = useContext(LossContext);
  const refusal = useRef(noRefusal);
  const isSending = useRef(false);
  /** The values that the server has, as far as this form knows. */
  const sent = useRef(JSON.stringify(initial));
  const base = useRef({ version, initial });
  const [isWaiting, setIsWaiting] = useState(false);
  const [refused, setRefused] = useState<{ failure: ApiFailure; version: number | undefined } | null>(null);
  const failure = refused !== null && refused.version === version ? refused.failure : null;
  const asked = failure?.confirm ?? [];
  /** Nothing is marked while it is first typed. After the first attempt to send it is checked with each letter. */
  const isChecking = useRef(false);
  useEffect(
    () => () => {
      noteLoss(id, null);
    },
    [noteLoss, id],
  );

  const typedNow = (): Typed => ({ ...initial, ...form.getFieldsValue() });
  const errorsNow = useRef<() => FieldErrors>(() => ({}));
  useEffect(() => {
    errorsNow.current = () => {
      if (!isChecking.current) {
        return {};
      }
      const parsed = schema.safeParse(bodyOf(typedNow()));
      const { errors, typed } = refusal.current;
      const held = Object.entries(errors).filter(([path]) => at(typedNow(), path) === at(typed, path));
      return { ...Object.fromEntries(held), ...(parsed.success ? {} : fieldErrors(parsed.error)) };
    };
  });
  const ruleOf = useMemo(() => (path: string) => zodRule(path, () => errorsNow.current()), []);

  const noteTyped = (): void => {
    noteLoss(id, JSON.stringify(typedNow()) === sent.current ? null : 'typed');
  };
  useEffect(() => {
    if (kept !== undefined) {
      noteTyped();
    }
    // oxlint-disable-next-line react/exhaustive-deps -- once, for what was kept
  }, []);
  useEffect(() => {
    const before = base.current;
    if (before.version === version) {
      return;
    }
    base.current = { version, initial };
    sent.current = JSON.stringify(initial);
    refusal.current = noRefusal;
    const typed = { ...before.initial, ...form.getFieldsValue() };
    form.setFieldsValue(rebaseTyped(typed, before.initial, initial));
    const fields: Pick<FormInstance, 'setFields'> = form;
    fields.setFields(
      changedByBoth(typed, before.initial, initial).map(({ name, present }) => ({
        name,
        warnings: [`Is now “${present}”. Saving replaces that by what you typed.`],
      })),
    );
    noteTyped();
  });
  const submit = async (): Promise<void> => {
    if (isSending.current) {
      return;
    }
    const typed = typedNow();
    const body = schema.parse(bodyOf(typed));
    isSending.current = true;
    setIsWaiting(true);
    setRefused(null);
    const problem = await send(body, typed, asked).then(
      () => null,
      (thrown: ApiFailure) => thrown,
    );
    isSending.current = false;
    setIsWaiting(false);
    setRefused(problem === null ? null : { failure: problem, version });
    isChecking.current = problem !== null;
    refusal.current = problem === null ? noRefusal : { errors: problem.fields, typed };
    if (problem !== null) {
      await form.validateFields().catch(focusFirst);
      return;
    }
    if (isEmptiedWhenSent) {
      form.resetFields();
    } else {
      sent.current = JSON.stringify(typed);
    }
    noteTyped();
  };
  const focusFirst = ({ errorFields }: { errorFields: { name: (string | number)[] }[] }): void => {
    const [first] = errorFields;
    if (first !== undefined) {
      form.scrollToField(first.name, { focus: true, block: 'nearest' });
    }
  };

  return (
    <Form<Typed>
      // Two forms of one page may have a field of one name.
      name={id}
      form={form}
      method="post"
      noValidate
      layout="vertical"
      requiredMark
      initialValues={kept ?? initial}
      className={styles.form}
      onValuesChange={() => {
        noteTyped();
        // What the server said is about the values that it refused.
        const { errors, typed } = refusal.current;
        if (failure !== null && Object.keys(errors).some((path) => at(typedNow(), path) !== at(typed, path))) {
          setRefused(null);
        }
        onTyped?.(typedNow());
      }}
      onKeyDown={(event) => {
        const { target } = event;
        // A browser would send the form; a user at a checkbox wants to tick it.
        if (event.key === 'Enter' && target instanceof HTMLInputElement && target.type === 'checkbox') {
          event.preventDefault();
          target.click();
        }
      }}
      onSubmitCapture={() => {
        isChecking.current = true;
      }}
      onFinish={() => void submit()}
      onFinishFailed={(failed) => {
        setRefused(null);
        focusFirst(failed);
      }}
    >
      <FormRuleContext value={ruleOf}>{children}</FormRuleContext>
      {/* Beside the button that was pressed: the top of a long form is out of sight. */}
      <FormFailure>{failure === null ? null : refusalText(failure)}</FormFailure>
      <div className={styles.actions}>
        {question === undefined ? (
          <Button type="primary" htmlType="submit" loading={isWaiting && { delay: spinnerAfterMs }}>
            {asked.length > 0 ? confirmLabel : submitLabel}
          </Button>
        ) : (
          <ConfirmButton
            label={submitLabel}
            question={question}
            onConfirm={() => {
              isChecking.current = true;
              form.submit();
            }}
          />
        )}
        {actions}
      </div>
    </Form>
  );
}

/** Returns the value at a path such as "location.unit", as text. */
function at(values: unknown, path: string): string {
  const value = path
    .split('.')
    .reduce<unknown>(
      (held, key) =>
        typeof held === 'object' && held !== null ? (held as Readonly<Record<string, unknown>>)[key] : undefined,
      values,
    );
  return JSON.stringify(value) ?? '';
}
