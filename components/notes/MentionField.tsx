import { Button } from 'antd';
import { useState } from 'react';
import { useNoteReaders } from '../../hooks/useNoteReaders';
import type { DraftFields } from '../../lib/notes/draftFields';
import { mostMentions } from '../../lib/notes/noteLimits';
import { userTypeLabels } from '../../lib/session/userTypes';
import { SelectField } from '../ui/SelectField';
import styles from './MentionField.module.css';

interface MentionFieldProps {
  patientId: number;
  mentions: DraftFields['mentions'];
  isLocked: boolean;
  onChange: (mentions: DraftFields['mentions']) => void;
}

/** The colleagues whom a draft mentions. Only those who may see the patient can be chosen. */
export function MentionField({ patientId, mentions, isLocked, onChange }: MentionFieldProps) {
  const [isOpen, setIsOpen] = useState(false);
  const { data, error } = useNoteReaders(patientId, isOpen);
  const names = mentions.map(({ name }) => name).join(', ');
  const choices = (data ?? [])
    .filter(({ id }) => mentions.every((each) => each.id !== id))
    .map(({ id, name, type }) => ({ value: String(id), label: `${name}, ${userTypeLabels[type]}` }));
  const empty =
    data !== undefined
      ? 'Choose a colleague'
      : error === undefined
        ? 'Names are loading'
        : 'The names cannot be read now';
  return (
    <details onToggle={({ currentTarget }) => setIsOpen(currentTarget.open)}>
      <summary className={styles.summary}>{names === '' ? 'Mention a colleague' : `Mentions ${names}`}</summary>
      <SelectField
        label="Mention"
        value=""
        choices={[{ value: '', label: empty }, ...choices]}
        disabled={isLocked || data === undefined || mentions.length >= mostMentions}
        onChange={(value) => {
          const chosen = data?.find(({ id }) => String(id) === value);
          if (chosen !== undefined) {
            onChange([...mentions, { id: chosen.id, name: chosen.name }]);
          }
        }}
      />
      {mentions.map(({ id, name }) => (
        <Button
          key={id}
          className={styles.chosen}
          disabled={isLocked}
          onClick={() => onChange(mentions.filter((each) => each.id !== id))}
        >
          Remove {name}
        </Button>
      ))}
    </details>
  );
}
