import { Drawer, Modal } from 'antd';
import { useCallback, useRef, useState, type ReactNode } from 'react';
import { LossContext, type Loss } from './formContext';

const questions = {
  typed: { title: 'Discard what you typed?', text: 'It has not been saved.', stay: 'Keep editing', leave: 'Discard' },
  secret: {
    title: 'Close without copying?',
    text: 'It is shown only once. After closing you would have to create a new one.',
    stay: 'Go back',
    leave: 'Close anyway',
  },
} as const satisfies Record<Loss, object>;

interface FormDrawerProps {
  title: string;
  /** In pixels. */
  size?: number;
  onClose: () => void;
  children: ReactNode;
}

/**
 * A drawer with forms, beside the list, which stays visible. It opens with the focus in the first field, and asks
 * before it closes over text that was not sent or a secret that was not copied.
 */
export function FormDrawer({ title, size = 480, onClose, children }: FormDrawerProps) {
  const content = useRef<HTMLDivElement>(null);
  const losses = useRef(new Map<string, Loss>());
  const [asked, setAsked] = useState<Loss>('typed');
  const [isAsking, setIsAsking] = useState(false);
  const noteLoss = useCallback((partId: string, loss: Loss | null) => {
    if (loss === null) {
      losses.current.delete(partId);
    } else {
      losses.current.set(partId, loss);
    }
  }, []);
  const question = questions[asked];
  return (
    <Drawer
      title={title}
      size={size}
      open
      mask={{ closable: false }}
      // antd focuses the drawer itself when it opens; the focus belongs in the first field.
      afterOpenChange={() => content.current?.querySelector<HTMLElement>('input, textarea')?.focus()}
      onClose={() => {
        const found = [...losses.current.values()];
        if (found.length === 0) {
          onClose();
        } else {
          setAsked(found.includes('secret') ? 'secret' : 'typed');
          setIsAsking(true);
        }
      }}
    >
      <div ref={content}>
        <LossContext value={noteLoss}>{children}</LossContext>
      </div>
      <Modal
        title={question.title}
        open={isAsking}
        closable={false}
        width={400}
        okText={question.leave}
        onOk={onClose}
        cancelText={question.stay}
        cancelButtonProps={{ autoFocus: true }}
        onCancel={() => setIsAsking(false)}
      >
        {question.text}
      </Modal>
    </Drawer>
  );
}
