import { Component, type ReactNode } from 'react';
import { logError } from '../../lib/log';
import { ChatMessage } from './ChatMessage';

/** Catches errors while the chat is drawn, so that only the chat is missing. */
export class ChatBoundary extends Component<{ children: ReactNode }, { failed: boolean }> {
  override state = { failed: false };

  static getDerivedStateFromError(): { failed: boolean } {
    return { failed: true };
  }

  override componentDidCatch(): void {
    // The error may contain messages, so only the fact is logged.
    logError('The chat could not be drawn');
  }

  override render(): ReactNode {
    return this.state.failed ? (
      <ChatMessage
        title="Chat cannot be shown"
        onAgain={() => {
          this.setState({ failed: false });
        }}
      >
        Everything else keeps working.
      </ChatMessage>
    ) : (
      this.props.children
    );
  }
}
