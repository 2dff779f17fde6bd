import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { act, render } from '@testing-library/react';
import {
  AutoComplete,
  Button,
  Checkbox,
  ConfigProvider,
  DatePicker,
  Drawer,
  Dropdown,
  Form,
  Input,
  InputNumber,
  Modal,
  Popconfirm,
  Progress,
  QRCode,
  Segmented,
  Select,
  Upload,
} from 'antd';
import dayjs from 'dayjs';
import type { ReactElement } from 'react';
import { dayTheme } from './theme';

const root = join(__dirname, '..');

/** Each component that a screen imports from antd, in every form in which a screen shows it. */
const samples: Record<string, ReactElement> = {
  AutoComplete: <AutoComplete open options={[{ value: 'One' }]} />,
  Button: (
    <>
      <Button>Plain</Button>
      <Button type="primary" disabled>
        First
      </Button>
      <Button type="text">Quiet</Button>
      <Button icon={<i />}>With a picture</Button>
      <Button loading>Waiting</Button>
    </>
  ),
  Checkbox: (
    <>
      <Checkbox checked>Yes</Checkbox>
      <Checkbox.Group options={[{ value: 1, label: 'One' }]} value={[1]} />
    </>
  ),
  DatePicker: (
    <>
      <DatePicker open placeholder="" format={['DD MMM YYYY', 'YYYY-MM-DD']} />
      <DatePicker value={dayjs('2026-03-07')} />
    </>
  ),
  Drawer: (
    <Drawer title="Title" size={480} open mask={{ closable: false }}>
      Content
    </Drawer>
  ),
  Dropdown: (
    <Dropdown
      open
      trigger={['click']}
      placement="bottomRight"
      menu={{
        items: [
          { key: 'a', label: 'One' },
          { key: 'b', label: 'Last', danger: true },
        ],
      }}
    >
      <Button>Press</Button>
    </Dropdown>
  ),
  Form: (
    <Form layout="vertical" requiredMark>
      <Form.Item label="Right" extra="Hint" required>
        <Input />
      </Form.Item>
      <Form.Item label="Wrong" help="Wrong is empty" validateStatus="error">
        <Input />
      </Form.Item>
    </Form>
  ),
  Input: (
    <>
      <Input />
      <Input status="error" />
    </>
  ),
  InputNumber: (
    <>
      <InputNumber value={88} />
      <InputNumber status="error" />
    </>
  ),
  Modal: (
    <Modal open title="Title" width={400} closable={false} okText="Yes" cancelText="No">
      Question
    </Modal>
  ),
  Progress: <Progress percent={40} />,
  QRCode: <QRCode value="https://ward.example.org" type="svg" />,
  Popconfirm: (
    <Popconfirm open title="Question" icon={null} okText="Yes" cancelText="No" okButtonProps={{ size: 'middle' }}>
      <Button>Press</Button>
    </Popconfirm>
  ),
  Segmented: (
    <Segmented
      value={15}
      options={[
        { value: 15, label: '15 min' },
        { value: 30, label: '30 min' },
      ]}
    />
  ),
  Select: (
    <>
      <Select open showSearch placeholder="Choose" options={[{ value: 1, label: 'One' }]} />
      <Select open value={1} options={[{ value: 1, label: 'One' }]} />
      <Select status="error" value={1} options={[{ value: 1, label: 'One' }]} />
      <Select open options={[]} />
    </>
  ),
  Upload: (
    <>
      <Upload showUploadList={false}>
        <Button>Choose</Button>
      </Upload>
      <Upload showUploadList={false} disabled>
        <Button disabled>Choose</Button>
      </Upload>
    </>
  ),
};

/**
 * Classes by which antd names a part or a state and for which its own style sheets have no rule; and the column of a
 * grid, which no form divides.
 */
const bare = new RegExp(
  `^ant-(${[
    ...['wave-target', 'btn-(default|text)', 'drawer-open', 'col', 'form-vertical', 'form-item-has-error'],
    ...['zoom(-big)?', 'slide-up', 'popover-(open|css-var|arrow-content)', 'popconfirm-(inner-content|message-text)'],
    'picker-(date-panel-container|header-(super-)?(prev|next)-btn|(month|year)-btn|now(-btn)?)',
    'checkbox-(wrapper-checked|label|group-item)',
    'select-dropdown-(empty|list(-holder(-inner)?)?)',
    'dropdown-(open|menu-(root|light|css-var|item-only-child))',
    'progress-(line-align-end|line-position-outer|show-info|status-normal)',
  ].join('|')})$`,
);

/** Variables that antd sets on the element itself. */
const givenByElement = /^--ant-modal-\w+-width$/;

const imported = new Set(
  ['components', 'pages']
    .flatMap((folder) =>
      readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((file) => join(root, folder, file)),
    )
    .filter((file) => /(?<!\.test)\.tsx$/.test(file))
    .flatMap((file) => (/import \{([^}]*)\} from 'antd'/.exec(readFileSync(file, 'utf8'))?.[1] ?? '').split(','))
    .map((name) => name.trim())
    .filter((name) => name !== '' && !name.startsWith('type ') && name !== 'ConfigProvider'),
);

let css = '';
beforeAll(() => {
  const folder = mkdtempSync(join(tmpdir(), 'wardlight-css-'));
  try {
    execFileSync(process.execPath, ['scripts/antd-css.mjs', folder], { cwd: root });
    css = ['first.css', 'later.css'].map((file) => readFileSync(join(folder, file), 'utf8')).join('\n');
  } finally {
    rmSync(folder, { recursive: true });
  }
});

function withoutRule(classes: Iterable<string>): string[] {
  return [...new Set(classes)].filter((name) => !bare.test(name) && !new RegExp(`\\.${name}(?![\\w-])`).test(css));
}

describe('the style sheets made from antd', () => {
  it('are checked for every component that a screen imports', () => {
    expect(imported.size).toBeGreaterThan(0);
    expect([...imported].filter((name) => !(name in samples))).toEqual([]);
  });

  it.each(Object.entries(samples).filter(([name]) => imported.has(name)))(
    'have a rule for every class that %s wears',
    async (_, sample) => {
      const { baseElement } = render(<ConfigProvider theme={dayTheme}>{sample}</ConfigProvider>);
      // What is open takes its place a moment after it was drawn.
      await act(() => new Promise((resolve) => setTimeout(resolve)));
      const worn = [...baseElement.querySelectorAll('[class*="ant-"]')].flatMap((element) => [...element.classList]);
      const ours = worn.filter((name) => name.startsWith('ant-'));
      expect(ours.length).toBeGreaterThan(0);
      expect(withoutRule(ours)).toEqual([]);
    },
  );

  it('have a rule for every class of antd that our own elements use', () => {
    const files = readdirSync(join(root, 'components'), { recursive: true, encoding: 'utf8' }).filter((file) =>
      /(?<!\.test)\.tsx$/.test(file),
    );
    const worn = files.flatMap(
      (file) => readFileSync(join(root, 'components', file), 'utf8').match(/(?<!@|--)\bant-[a-z-]+[a-z]/g) ?? [],
    );
    expect(worn).toContain('ant-input');
    expect(withoutRule(worn)).toEqual([]);
  });

  it('set every variable that a rule reads, antd’s or our own', () => {
    const files = ['components', 'styles'].flatMap((folder) =>
      readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
        .filter((file) => /(?<!\.test)\.(css|tsx?)$/.test(file) && !file.startsWith('generated'))
        .map((file) => readFileSync(join(root, folder, file), 'utf8')),
    );
    // A variable with a fallback value may be missing.
    const read = [css, ...files].flatMap((text) =>
      [...text.matchAll(/var\((--(?:ant|wl)-[\w-]+)\)/g)].map(([, name = '']) => name),
    );
    const given = new Set(
      [css, ...files].flatMap((text) => [...text.matchAll(/(--(?:ant|wl)-[\w-]+)'?:/g)].map(([, name = '']) => name)),
    );
    expect(read).toContain('--ant-color-primary');
    expect([...new Set(read)].filter((name) => !given.has(name) && !givenByElement.test(name))).toEqual([]);
  });

  it('state the palette once, at the root, by day and by night', () => {
    expect(css.match(/(?<=[\n{}])[^\n{}]*(?=\{--ant-color-primary:)/g)).toEqual([':root', ':root[data-theme=dark]']);
  });
});
