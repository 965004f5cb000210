import { useState } from 'react'
import { NewPasswordRows } from '../src/features/account/new-password-rows.tsx'
import { Button } from '../src/ui/button.tsx'
import { Card } from '../src/ui/card.tsx'
import { Checkbox, NumberField, Select } from '../src/ui/controls.tsx'
import { FieldError } from '../src/ui/field-error.tsx'
import { RadioGroup, Slider, Switch } from '../src/ui/form/choices.tsx'
import { CodeField } from '../src/ui/form/code-field.tsx'
import { Combobox } from '../src/ui/form/combobox.tsx'
import { DateField } from '../src/ui/form/date-field.tsx'
import { DateRangeField } from '../src/ui/form/date-range-field.tsx'
import { FileDrop } from '../src/ui/form/file-drop.tsx'
import { Form, FormRow } from '../src/ui/form/form-row.tsx'
import { MultiSelect } from '../src/ui/form/multi-select.tsx'
import { first, rules } from '../src/ui/form/rules.ts'
import { TextArea, TextField } from '../src/ui/form/text-field.tsx'
import { useForm } from '../src/ui/form/use-form.ts'
import { toast } from '../src/ui/toast.tsx'
import { useSecondsTo } from '../src/ui/use-seconds-to.ts'
import type { StyleguideSection } from './section-file.ts'

export const sections: readonly StyleguideSection[] = [{ key: 'forms', title: '表单', Component: Forms }]

function Forms() {
  return (
    <div className="samples cards">
      <ControlsForm />
      <AccountForm />
      <OffForm />
      <StrategyForm />
    </div>
  )
}

const data = { start: '2018-01-02', end: '2026-11-19' }
const weekdays = ({ start, end }: { start: string; end: string }) =>
  Math.round(((Date.parse(end) - Date.parse(start)) / 86_400_000) * (5 / 7))

/** Wrong from the start, so that the messages can be seen. */
function StrategyForm() {
  const form = useForm({
    first: {
      name: '双低低溢价 10 只',
      hold: 0 as number | null,
      cost: 0.025 as number | null,
      range: { start: '2026-09-01', end: '2026-11-19' },
      capital: 10 as number | null,
    },
    rules: {
      name: first<string, unknown>(rules.required('策略名称'), rules.strategyName(['双低低溢价 10 只'])),
      hold: first<number | null, unknown>(rules.required('持有数量'), rules.holdCount(100)),
      cost: first<number | null, unknown>(rules.required('单边成本'), rules.cost),
      range: rules.dateRange(data, weekdays),
      capital: first<number | null, unknown>(rules.required('资金'), rules.capital),
    },
    submit: async () => toast.done('已保存'),
  })
  return (
    <Card title="表单校验" note="失焦与提交时检查，聚焦首个错误">
      <Form {...form.props} aria-label="策略">
        <FormRow label="策略名称" message={form.message('name')} required>
          {(control) => <TextField {...control} {...form.bind('name')} />}
        </FormRow>
        <FormRow label="持有数量" message={form.message('hold')}>
          {(control) => <NumberField {...control} {...form.bind('hold')} unit="只" width={112} step={{ by: 1, min: 0, max: 100 }} />}
        </FormRow>
        <FormRow label="单边成本" message={form.message('cost')}>
          {(control) => <NumberField {...control} {...form.bind('cost')} unit="%" scale={100} width={112} />}
        </FormRow>
        <FormRow label="区间" message={form.message('range')} group>
          {(control) => <DateRangeField {...control} {...form.bind('range')} data={data} />}
        </FormRow>
        <FormRow label="资金" message={form.message('capital')} hint="按一手起买，资金太少时买不满">
          {(control) => <NumberField {...control} {...form.bind('capital')} unit="万元" width={112} />}
        </FormRow>
        <div className="actions">
          <Button type="submit" look={['primary']}>
            保存
          </Button>
        </div>
      </Form>
    </Card>
  )
}

const bonds = [12, 90, 207, 356, 408, 437, 517, 575, 593].map((number) => ({
  value: number,
  label: `演示转债${number}`,
  note: `900${String(number).padStart(3, '0')}.DM`,
  words: `yszz${number}`,
}))
const industries = ['电力设备', '电子', '化工', '机械设备', '汽车', '医药生物', '银行'].map((label) => ({ value: label, label }))
const presets = [
  { label: '近1年', range: { start: '2025-11-20', end: '2026-11-19' } },
  { label: '近3年', range: { start: '2023-11-20', end: '2026-11-19' } },
  { label: '全部', range: data },
]

function ControlsForm() {
  const [bond, setBond] = useState<number | null>(356)
  const [chosen, setChosen] = useState<string[]>(['电子', '汽车'])
  const [range, setRange] = useState({ start: '2023-11-20', end: '2026-11-19' })
  const [date, setDate] = useState('2026-11-19')
  const [share, setShare] = useState(35)
  const [on, setOn] = useState(true)
  const [weight, setWeight] = useState<'equal' | 'score'>('equal')
  const [ticked, setTicked] = useState(true)
  const [note, setNote] = useState('先按双低排序，再剔除已公告强赎的。')
  const [fill, setFill] = useState<'close' | 'open'>('close')
  const [count, setCount] = useState<number | null>(10)
  const [file, setFile] = useState<File | null>(null)
  return (
    <Card title="每一种控件" note="工具里 28 px">
      <Form aria-label="控件">
        <FormRow label="证券" hint="可按代码、名称或拼音首字母查找">
          {(control) => <Combobox {...control} width={240} value={bond} options={bonds} onChange={setBond} />}
        </FormRow>
        <FormRow label="行业">
          {(control) => <MultiSelect {...control} label="行业" width={240} value={chosen} options={industries} onChange={setChosen} />}
        </FormRow>
        <FormRow label="成交价">
          {(control) => (
            <Select
              {...control}
              width={112}
              value={fill}
              choices={[
                { value: 'close', label: '收盘' },
                { value: 'open', label: '次日开盘' },
              ]}
              onChange={setFill}
            />
          )}
        </FormRow>
        <FormRow label="数量">
          {(control) => (
            <NumberField {...control} value={count} onChange={setCount} unit="只" width={112} step={{ by: 1, min: 1, max: 100 }} />
          )}
        </FormRow>
        <FormRow label="日期">{(control) => <DateField {...control} value={date} onChange={setDate} max={data.end} />}</FormRow>
        <FormRow label="区间" group>
          {(control) => <DateRangeField {...control} value={range} onChange={setRange} data={data} presets={presets} />}
        </FormRow>
        <FormRow label="最高仓位">
          {(control) => <Slider {...control} value={share} onChange={setShare} min={0} max={100} step={5} words={(value) => `${value}%`} />}
        </FormRow>
        <FormRow label="权重" group>
          {(control) => (
            <RadioGroup
              {...control}
              label="权重"
              name="styleguide-weight"
              value={weight}
              choices={[
                { value: 'equal', label: '等权', hint: '每只相同' },
                { value: 'score', label: '按得分' },
              ]}
              onChange={setWeight}
            />
          )}
        </FormRow>
        <FormRow label="自动刷新">{(control) => <Switch {...control} value={on} onChange={setOn} />}</FormRow>
        <FormRow label="剔除" group>
          {() => (
            <Checkbox checked={ticked} onChange={setTicked}>
              已公告强赎
            </Checkbox>
          )}
        </FormRow>
        <FormRow label="备注" note="选填" message={rules.remark(note, null)}>
          {(control) => <TextArea {...control} value={note} onChange={setNote} most={200} />}
        </FormRow>
        <FormRow label="持仓文件" group>
          {(control) => (
            <FileDrop {...control} label="持仓文件" file={file} onChange={setFile} endings={['.csv', '.xlsx']} most={5_000_000} />
          )}
        </FormRow>
      </Form>
    </Card>
  )
}

function AccountForm() {
  const [sent, setSent] = useState(false)
  const form = useForm({
    first: { account: '13800001234', code: '20481', password: 'Convexa-26', password2: '', agree: false },
    rules: {
      account: first<string, unknown>(rules.required('手机号/邮箱'), rules.account),
      code: first<string, unknown>(rules.required('验证码'), rules.code),
      password: (text, all) => rules.required('密码')(text, all) ?? rules.password(all.account)(text, all),
      password2: (text, all) => rules.required('确认密码')(text, all) ?? rules.password2(all.password)(text, all),
      agree: rules.agree,
    },
    submit: async () => toast.done('注册成功'),
  })
  const [until, setUntil] = useState<number | null>(null)
  const left = useSecondsTo(until)
  const send = () => {
    if (!form.check('account')) return
    setSent(true)
    setUntil(Date.now() + 60_000)
  }
  const agree = form.bind('agree')
  return (
    <Card title="账户表单" note="40 px，手机 44 px">
      <Form {...form.props} look="above" aria-label="注册">
        <FormRow label="手机号/邮箱" message={form.message('account')} required>
          {(control) => <TextField {...control} {...form.bind('account')} autoComplete="username" inputMode="email" />}
        </FormRow>
        <FormRow label="验证码" message={form.message('code')} required done={sent && '验证码已发送至 138****1234，5 分钟内有效'}>
          {(control) => <CodeField {...control} {...form.bind('code')} asking={{ busy: false, left, again: sent }} onSend={send} />}
        </FormRow>
        <NewPasswordRows form={form} label="设置密码" />
        <div>
          <Checkbox
            name={agree.name}
            checked={agree.value}
            onChange={agree.onChange}
            onBlur={agree.onBlur}
            invalid={form.message('agree') !== null}
          >
            <span>我已阅读并同意《用户协议》《隐私政策》《风险揭示书》</span>
          </Checkbox>
          <FieldError>{form.message('agree')}</FieldError>
        </div>
        <Button type="submit" look={['primary', 'large', 'wide']} disabled={form.busy}>
          注册
        </Button>
      </Form>
    </Card>
  )
}

function OffForm() {
  const nothing = () => {}
  return (
    <Card title="停用与原因" note="写明为什么、什么时候恢复">
      <Form aria-label="停用的控件">
        <FormRow label="自动刷新" off="演示数据不能用于交易；导入真实行情后恢复。">
          {(control) => <Switch {...control} value={false} onChange={nothing} />}
        </FormRow>
        <FormRow label="策略名称" off="正在回测，完成后可以改名。">
          {(control) => <TextField {...control} value="双低低溢价 10 只" onChange={nothing} />}
        </FormRow>
        <FormRow label="持有数量" off="模板固定为 10 只。">
          {(control) => <NumberField {...control} value={10} onChange={nothing} unit="只" width={112} step={{ by: 1 }} />}
        </FormRow>
        <FormRow label="行业" off="当前行情没有行业数据。">
          {(control) => <MultiSelect {...control} label="行业" width={240} value={[]} options={industries} onChange={nothing} />}
        </FormRow>
        <FormRow label="空">{(control) => <TextField {...control} value="" onChange={nothing} placeholder="最多 50 个字符" />}</FormRow>
        <FormRow label="长文字">
          {(control) => (
            <TextField
              {...control}
              value="双低轮动，剩余规模小于 5 亿，每周五收盘调仓，缓冲名次 5，单只最多占 20%，剔除已公告强赎与 ST"
              onChange={nothing}
            />
          )}
        </FormRow>
      </Form>
    </Card>
  )
}
