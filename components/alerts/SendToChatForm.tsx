import { Button, Select } from 'antd';
import { useState } from 'react';
import type { StreamChat } from 'stream-chat';
import { useChat } from '../../hooks/useChat';
import { openChannel, useChatDirectory } from '../../hooks/useChatDirectory';
import type { AlertItem } from '../../lib/alerts/schema';
import type { ApiFailure } from '../../lib/browser/client';
import { newUuid } from '../../lib/browser/newUuid';
import { alertMessage } from '../../lib/chat/alertMessage';
import { channelType, openBodyOf } from '../../lib/chat/channels';
import type { ChatDirectory, OpenChannelBody } from '../../lib/chat/schema';
import { Field } from '../ui/Field';
import { FormFailure } from '../ui/FormFailure';
import { useSubmit } from '../ui/useSubmit';
import styles from './AlertDrawer.module.css';

interface SendToChatFormProps {
  alert: AlertItem;
  onDone: () => void;
}

/** Sends an alert into a channel of the chat: its number alone, because the chat service is outside the hospital. */
export function SendToChatForm({ alert, onDone }: SendToChatFormProps) {
  const { client, status, retry } = useChat();
  const { data, error } = useChatDirectory(alert.patientId === null ? [] : [alert.patientId]);
  /** With the id of the message: sent again after a lost response it is the same one. */
  const [chosen, setChosen] = useState<{ place: string; messageId: string } | null>(null);
  const [isChecking, setIsChecking] = useState(false);
  const [isWaiting, setIsWaiting] = useState(false);
  const [refusal, setRefusal] = useState<string | null>(null);
  const onSubmit = useSubmit(async () => {
    setIsChecking(true);
    const wanted = chosen === null ? null : bodyOf(chosen.place);
    if (chosen === null || wanted === null || client === null) {
      return;
    }
    setIsWaiting(true);
    setRefusal(null);
    const refused = await send(client, wanted, chosen.messageId, alert.id);
    setIsWaiting(false);
    setRefusal(refused);
    if (refused === null) {
      onDone();
    }
  });
  return (
    <form noValidate className={styles.form} onSubmit={onSubmit}>
      <Field
        label="Where to"
        hint="Only the alert’s number leaves the hospital. Who may see the alert sees it there as it is at that moment."
        error={isChecking && chosen === null ? 'is not chosen' : undefined}
      >
        {(control) => (
          <Select
            {...control}
            showSearch={{ optionFilterProp: 'label' }}
            loading={data === undefined && error === undefined}
            placeholder="Site, unit, care team or colleague"
            value={chosen?.place}
            options={data === undefined ? [] : choicesOf(data)}
            onChange={(place: string) => setChosen({ place, messageId: newUuid() })}
          />
        )}
      </Field>
      <FormFailure>
        {status === 'failed'
          ? 'The chat cannot be reached.'
          : data === undefined && error !== undefined
            ? error.message
            : refusal}
      </FormFailure>
      <div className={styles.actions}>
        <Button type="primary" htmlType="submit" disabled={client === null} loading={isWaiting && { delay: 300 }}>
          {status === 'connecting' ? 'Connecting …' : 'Send'}
        </Button>
        {status === 'failed' ? <Button onClick={retry}>Try again</Button> : null}
      </div>
    </form>
  );
}

/** Sends the message once. Resolves with why it was not sent, or null. */
async function send(
  client: StreamChat,
  wanted: OpenChannelBody,
  messageId: string,
  alertId: number,
): Promise<string | null> {
  try {
    // The server creates the channel if need be, and says whether its user belongs to it.
    const channel = client.channel(channelType, await openChannel(wanted));
    await channel.sendMessage(alertMessage(messageId, alertId));
    return null;
  } catch (problem) {
    return isThereAlready(problem)
      ? null
      : isFailure(problem)
        ? `Not sent. ${problem.message}`
        : 'The chat service does not answer. Try again: the alert is sent once.';
  }
}

/** Whether the service has a message of this id: the response to an earlier attempt was lost. */
function isThereAlready(problem: unknown): boolean {
  return (
    problem instanceof Error && 'code' in problem && problem.code === 4 && problem.message.includes('already exists')
  );
}

/** Whether it is our own failure, whose message is for users; those of the service are not. */
function isFailure(problem: unknown): problem is ApiFailure {
  return problem instanceof Error && problem.name === 'ApiFailure';
}

const ofColleague = 'colleague ';

function choicesOf({ channels, colleagues }: ChatDirectory) {
  const places = (isCareTeam: boolean) =>
    channels
      .filter(({ kind }) => (kind === 'careTeam') === isCareTeam)
      .map(({ id, title }) => ({ value: id, label: title }));
  return [
    { label: 'Care teams', options: places(true) },
    { label: 'Site and units', options: places(false) },
    { label: 'Colleagues', options: colleagues.map(({ id, name }) => ({ value: `${ofColleague}${id}`, label: name })) },
  ].filter(({ options }) => options.length > 0);
}

function bodyOf(place: string): OpenChannelBody | null {
  return place.startsWith(ofColleague)
    ? { kind: 'direct', userId: Number(place.slice(ofColleague.length)) }
    : openBodyOf(place);
}
