import { useId, useState } from 'react';
import type { ReadState } from '../../hooks/readState';
import { openBodyOf } from '../../lib/chat/channels';
import type { ChatDirectory, OpenChannelBody } from '../../lib/chat/schema';
import { userTypeLabels } from '../../lib/session/userTypes';
import { FormFailure } from '../ui/FormFailure';
import { TextField } from '../ui/TextField';
import styles from './chat.module.css';

interface ChatPeopleProps {
  directory: ReadState<ChatDirectory>;
  onOpen: (wanted: OpenChannelBody) => Promise<void>;
  onClose: () => void;
}

/** Lists who can be written to: site and units, care teams, colleagues. */
export function ChatPeople({ directory: { data, error }, onOpen, onClose }: ChatPeopleProps) {
  const [text, setText] = useState('');
  const [isWaiting, setIsWaiting] = useState(false);
  const wanted = text.trim().toLowerCase();
  const fits = (name: string): boolean => name.toLowerCase().includes(wanted);
  const channels = data?.channels.filter(({ title }) => fits(title)) ?? [];
  const colleagues = data?.colleagues.filter(({ name }) => fits(name)) ?? [];
  const choose = (body: OpenChannelBody | null): void => {
    if (body !== null) {
      setIsWaiting(true);
      void onOpen(body).finally(() => {
        setIsWaiting(false);
      });
    }
  };
  return (
    <div className={styles.people} aria-busy={isWaiting}>
      <div className={styles.peopleHead}>
        <h2>Write to …</h2>
        <button type="button" className={styles.plain} onClick={onClose}>
          Back
        </button>
      </div>
      <TextField label="Find by name" name="chat-people" value={text} onChange={setText} />
      <FormFailure>{data === undefined && error !== undefined ? error.message : null}</FormFailure>
      <Group
        title="Site and units"
        entries={channels
          .filter(({ kind }) => kind !== 'careTeam')
          .map(({ id, title }) => ({ id, name: title, about: null, body: openBodyOf(id) }))}
        onChoose={choose}
      />
      <Group
        title="Care teams"
        entries={channels
          .filter(({ kind }) => kind === 'careTeam')
          .map(({ id, title }) => ({ id, name: title, about: null, body: openBodyOf(id) }))}
        onChoose={choose}
      />
      <Group
        title="Colleagues"
        entries={colleagues.map(({ id, name, type }) => ({
          id: String(id),
          name,
          about: userTypeLabels[type],
          body: { kind: 'direct', userId: id },
        }))}
        onChoose={choose}
      />
      {data !== undefined && channels.length + colleagues.length === 0 ? <p>No matching people.</p> : null}
    </div>
  );
}

interface Entry {
  id: string;
  name: string;
  about: string | null;
  body: OpenChannelBody | null;
}

function Group({
  title,
  entries,
  onChoose,
}: {
  title: string;
  entries: Entry[];
  onChoose: (body: OpenChannelBody | null) => void;
}) {
  const heading = useId();
  return entries.length === 0 ? null : (
    <section aria-labelledby={heading}>
      <h3 id={heading}>{title}</h3>
      <ul>
        {entries.map(({ id, name, about, body }) => (
          <li key={id}>
            <button type="button" className={styles.person} onClick={() => onChoose(body)}>
              {name}
              {about === null ? null : <span className={styles.quiet}>{about}</span>}
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}
