import { Drawer, Modal } from 'antd';
import { useCallback, useRef, useState, type ReactNode } from 'react';
import { UnsentContext } from './formContext';

interface FormDrawerProps {
  title: string;
  onClose: () => void;
  children: ReactNode;
}

/**
 * A drawer with forms, beside the list, which stays visible. It opens with the focus in the first field, and asks
 * before it closes over text that was not sent.
 */
export function FormDrawer({ title, onClose, children }: FormDrawerProps) {
  const content = useRef<HTMLDivElement>(null);
  const unsent = useRef(new Set<string>());
  const [isAsking, setIsAsking] = useState(false);
  const noteUnsent = useCallback((formId: string, isUnsent: boolean) => {
    if (isUnsent) {
      unsent.current.add(formId);
    } else {
      unsent.current.delete(formId);
    }
  }, []);
  return (
    <Drawer
      title={title}
      size={480}
      open
      mask={{ closable: false }}
      // antd focuses the drawer itself when it opens; the focus belongs in the first field.
      afterOpenChange={() => {
        content.current?.querySelector<HTMLElement>('input, textarea')?.focus();
      }}
      onClose={() => {
        if (unsent.current.size > 0) {
          setIsAsking(true);
        } else {
          onClose();
        }
      }}
    >
      <div ref={content}>
        <UnsentContext value={noteUnsent}>{children}</UnsentContext>
      </div>
      <Modal
        title="Discard what you typed?"
        open={isAsking}
        closable={false}
        width={400}
        okText="Discard"
        onOk={onClose}
        cancelText="Keep editing"
        cancelButtonProps={{ autoFocus: true }}
        onCancel={() => {
          setIsAsking(false);
        }}
      >
        It has not been saved.
      </Modal>
    </Drawer>
  );
}
