import { Component, type ReactNode } from 'react';
import { logError } from '../../lib/log';
import { reportError } from '../../lib/monitoring/pageErrors';
import { ErrorFallback } from './ErrorFallback';

interface ErrorBoundaryProps {
  children: ReactNode;
  /** A page's address: a new page gets a new try. */
  resetKey: string;
  /** Shown instead of the usual words. */
  fallback?: ReactNode;
}

interface ErrorBoundaryState {
  failed: boolean;
  reportId: string | null;
  resetKey: string;
}

/** Catches and reports errors of a page's rendering. The shell and its "not live" banner stay. */
export class ErrorBoundary extends Component<ErrorBoundaryProps, ErrorBoundaryState> {
  override state: ErrorBoundaryState = { failed: false, reportId: null, resetKey: this.props.resetKey };

  static getDerivedStateFromError(): Partial<ErrorBoundaryState> {
    return { failed: true };
  }

  static getDerivedStateFromProps(
    { resetKey }: ErrorBoundaryProps,
    state: ErrorBoundaryState,
  ): ErrorBoundaryState | null {
    return resetKey === state.resetKey ? null : { failed: false, reportId: null, resetKey };
  }

  override componentDidCatch(error: unknown): void {
    this.setState({ reportId: reportError(error) });
    // The error itself may quote a patient's data, so only the fact is written.
    logError('A page could not be drawn');
  }

  override render(): ReactNode {
    const { children, fallback } = this.props;
    return this.state.failed ? (fallback ?? <ErrorFallback reportId={this.state.reportId} />) : children;
  }
}
