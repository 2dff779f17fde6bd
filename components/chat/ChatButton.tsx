import type { Ref } from 'react';
import { useChat } from '../../hooks/useChat';
import { Icon } from '../ui/Icon';
import header from '../ui/headerButton.module.css';
import { Unread } from './Unread';

interface ChatButtonProps {
  ref: Ref<HTMLButtonElement>;
  isOpen: boolean;
  onToggle: () => void;
}

/** Opens the chat beside the page, and shows how many messages are unread. */
export function ChatButton({ ref, isOpen, onToggle }: ChatButtonProps) {
  const { unread } = useChat();
  return (
    <button ref={ref} type="button" className={header.button} aria-expanded={isOpen} onClick={onToggle}>
      <Icon name="chat" />
      Chat
      <Unread count={unread} />
    </button>
  );
}
