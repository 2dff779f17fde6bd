import { Component, type ReactNode } from 'react';
import { logError } from '../../lib/log';
import { ChatMessage } from './ChatMessage';

/** Catches what goes wrong while the chat is drawn, so that nothing but the chat is missing. */
export class ChatBoundary extends Component<{ children: ReactNode }, { failed: boolean }> {
  override state = { failed: false };

  static getDerivedStateFromError(): { failed: boolean } {
    return { failed: true };
  }

  override componentDidCatch(): void {
    // What people write may stand in the error, so only the fact is written.
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
