import { act, render, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { Checkbox, Input } from 'antd';
import { z } from 'zod';
import { ApiFailure, clientFailure } from '../../lib/browser/client';
import { axeViolations } from '../../test/axeViolations';
import { FormDrawer } from './FormDrawer';
import { FormField } from './FormField';
import { SchemaForm } from './SchemaForm';

const schema = z.strictObject({
  name: z.string().trim().min(1, 'is empty'),
  place: z.strictObject({ bed: z.string().max(3, 'is too long') }),
  times: z.array(z.string().regex(/^\d\d:\d\d$/, 'is not a time such as 07:30')),
});
type Body = z.infer<typeof schema>;

const send = jest.fn<Promise<void>, [Body]>();
beforeEach(() => {
  send.mockReset().mockResolvedValue();
});

function form(isEmptiedWhenSent = false) {
  return (
    <SchemaForm
      schema={schema}
      initial={{ name: '', place: { bed: '' }, times: '07:30' }}
      bodyOf={({ times, ...typed }) => ({ ...typed, times: times.split(' ') })}
      send={send}
      refusalText={({ message }) => `Not saved. ${message}`}
      submitLabel="Save"
      isEmptiedWhenSent={isEmptiedWhenSent}
    >
      <FormField name="name" label="Name">
        <Input />
      </FormField>
      <FormField name={['place', 'bed']} label="Bed" isOptional>
        <Input />
      </FormField>
      <FormField name="times" label="Times" hint="Such as 07:30">
        <Input />
      </FormField>
    </SchemaForm>
  );
}
const field = (label: string) => screen.getByLabelText<HTMLInputElement>(new RegExp(`^${label}`));
const save = () => userEvent.click(screen.getByRole('button', { name: 'Save' }));

describe('SchemaForm', () => {
  it('sends nothing with an error, shows each error at its field and focuses the first', async () => {
    render(form());
    await userEvent.type(field('Bed'), '1234');
    await userEvent.type(field('Times'), ' 7am');
    await save();
    await expect(screen.findByText('Name is empty')).resolves.toBeTruthy();
    expect(screen.getByText('Bed is too long')).toBeTruthy();
    // An error inside a list is at the field in which the list is typed.
    expect(screen.getByText('Times is not a time such as 07:30')).toBeTruthy();
    expect(document.activeElement).toBe(field('Name'));
    expect(field('Name').getAttribute('aria-invalid')).toBe('true');
    expect(send).not.toHaveBeenCalled();
  });

  it('checks nothing while it is first typed, and each letter after an error', async () => {
    render(form());
    await userEvent.type(field('Bed'), '1234');
    expect(screen.queryByText('Bed is too long')).toBeNull();
    await save();
    await screen.findByText('Bed is too long');
    await userEvent.type(field('Bed'), '{Backspace}');
    await waitFor(() => expect(field('Bed').getAttribute('aria-invalid')).toBeNull());
  });

  it('keeps refused values, with the error at the field until its value changes', async () => {
    send.mockRejectedValueOnce(
      new ApiFailure('refused', 'It cannot be saved.', { status: 422, fields: { 'place.bed': 'is taken' } }),
    );
    render(form());
    await userEvent.type(field('Name'), ' Ada');
    await userEvent.type(field('Bed'), '4');
    await save();
    await expect(screen.findByText('Bed is taken')).resolves.toBeTruthy();
    expect(screen.getByRole('alert').textContent).toBe('Not saved. It cannot be saved.');
    expect(document.activeElement).toBe(field('Bed'));
    expect(field('Name').value).toBe(' Ada');
    await userEvent.type(field('Bed'), '5');
    await waitFor(() => expect(field('Bed').getAttribute('aria-invalid')).toBeNull());
    await save();
    await waitFor(() => expect(send).toHaveBeenCalledTimes(2));
    expect(send.mock.lastCall?.[0]).toEqual({ name: 'Ada', place: { bed: '45' }, times: ['07:30'] });
    expect(screen.getByRole('alert').textContent).toBe('');
  });

  it('keeps its values if the server cannot be reached, and can be sent again', async () => {
    send.mockRejectedValueOnce(clientFailure('unreachable'));
    render(form());
    await userEvent.type(field('Name'), 'Ada');
    await save();
    await expect(screen.findByText('Not saved. The server cannot be reached.')).resolves.toBeTruthy();
    expect(field('Name').value).toBe('Ada');
    await save();
    await waitFor(() => expect(send).toHaveBeenCalledTimes(2));
  });

  it('sends once however often it is clicked', async () => {
    let finish = (): void => undefined;
    send.mockReturnValue(new Promise((resolve) => (finish = resolve)));
    render(form());
    await userEvent.type(field('Name'), 'Ada');
    const button = screen.getByRole('button', { name: 'Save' });
    await userEvent.dblClick(button);
    await userEvent.type(field('Name'), '{Enter}');
    expect(send).toHaveBeenCalledTimes(1);
    await act(async () => {
      finish();
      await Promise.resolve();
    });
  });

  it('empties its fields after a success only if this is wanted', async () => {
    const { unmount } = render(form());
    await userEvent.type(field('Name'), 'Ada');
    await save();
    await waitFor(() => expect(send).toHaveBeenCalledTimes(1));
    expect(field('Name').value).toBe('Ada');
    unmount();
    render(form(true));
    await userEvent.type(field('Name'), 'Ada');
    await save();
    await waitFor(() => expect(field('Name').value).toBe(''));
  });

  it('ticks a checkbox with Enter and does not send', async () => {
    render(
      <SchemaForm
        schema={z.object({ isOn: z.boolean() })}
        initial={{ isOn: false }}
        send={() => send({ name: '', place: { bed: '' }, times: [] })}
        refusalText={() => null}
        submitLabel="Save"
      >
        <FormField name="isOn" label="Administration" valuePropName="checked">
          <Checkbox>Is on</Checkbox>
        </FormField>
      </SchemaForm>,
    );
    const box = screen.getByRole<HTMLInputElement>('checkbox');
    box.focus();
    await userEvent.keyboard('{Enter}');
    expect(box.checked).toBe(true);
    expect(send).not.toHaveBeenCalled();
  });

  it('has no accessibility violation, with and without errors', async () => {
    const { container } = render(form());
    await expect(axeViolations(container)).resolves.toEqual([]);
    await save();
    await screen.findByText('Name is empty');
    await expect(axeViolations(container)).resolves.toEqual([]);
  });
});

describe('FormDrawer', () => {
  const onClose = jest.fn();
  beforeEach(() => {
    onClose.mockReset();
  });
  const show = () =>
    render(
      <FormDrawer title="Add unit" onClose={onClose}>
        {form()}
      </FormDrawer>,
    );
  const close = () => userEvent.click(screen.getByRole('button', { name: 'Close' }));

  it('asks before it discards typed values', async () => {
    show();
    await userEvent.type(field('Name'), 'Ada');
    await close();
    expect(onClose).not.toHaveBeenCalled();
    await userEvent.click(await screen.findByRole('button', { name: 'Keep editing' }));
    expect(field('Name').value).toBe('Ada');
    await close();
    await userEvent.click(await screen.findByRole('button', { name: 'Discard' }));
    expect(onClose).toHaveBeenCalledTimes(1);
  });

  it('opens with the focus in the first field', async () => {
    show();
    await waitFor(() => expect(document.activeElement).toBe(field('Name')));
  });

  it('closes at once if nothing was typed, or all was sent', async () => {
    show();
    await close();
    expect(onClose).toHaveBeenCalledTimes(1);
    await userEvent.type(field('Name'), 'Ada');
    await save();
    await waitFor(() => expect(send).toHaveBeenCalledTimes(1));
    await close();
    expect(onClose).toHaveBeenCalledTimes(2);
  });
});
