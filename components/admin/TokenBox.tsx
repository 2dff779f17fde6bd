import { CopyBox } from '../ui/CopyBox';

/** Shows a device's token, which the server sends only once, to be copied into the device. */
export function TokenBox({ token }: { token: string }) {
  return (
    <CopyBox title="Token" noun="token" secret={token}>
      Enter it in the device. It is shown only once. Anyone who has it can send values as this device.
    </CopyBox>
  );
}
