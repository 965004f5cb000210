import { useState } from 'react'
import { Term } from '../src/features/help/term.tsx'
import { Chips } from '../src/features/report/robustness/verdict-chips.tsx'
import { chipsOf } from '../src/features/report/robustness/verdict-text.ts'
import { Button } from '../src/ui/button.tsx'
import { Segmented } from '../src/ui/controls.tsx'
import { Icon } from '../src/ui/icon.tsx'
import { KeyValues } from '../src/ui/key-values.tsx'
import { Steps } from '../src/ui/steps.tsx'
import { type Tab, Tabs } from '../src/ui/tabs.tsx'
import { Badge, DemoBadge, Tag } from '../src/ui/tag.tsx'
import { Sample, Samples } from './sample.tsx'
import type { StyleguideSection } from './section-file.ts'

export const sections: readonly StyleguideSection[] = [
  { key: 'buttons', title: '按钮', Component: Buttons },
  { key: 'marks', title: '标记与说明', Component: Marks },
  { key: 'tabs', title: '页签与步骤', Component: TabsAndSteps },
]

function Buttons() {
  return (
    <Samples>
      <Sample name="主次">
        <div className="sample-line">
          <Button look={['primary']} icon="play">
            运行
          </Button>
          <Button look={['outline']}>保存</Button>
          <Button>取消</Button>
          <Button look={['ghost']}>更多</Button>
          <Button look={['destructive']} icon="cross">
            删除
          </Button>
        </div>
      </Sample>
      <Sample name="大小与快捷键">
        <div className="sample-line">
          <Button look={['primary', 'large']}>登录</Button>
          <Button look={['primary']}>
            保存<kbd>Ctrl S</kbd>
          </Button>
          <Button look={['small']}>重试</Button>
          <Button look={['small', 'ghost', 'square']} icon="download" aria-label="保存为图片" />
        </div>
      </Sample>
      <Sample name="停用并写明原因">
        <div className="sample-line">
          <Button disabled>自动刷新 关</Button>
          <Button disabled icon="lock">
            确认并启用导出
          </Button>
        </div>
        <p className="note">演示数据不能用于交易；导入真实行情后恢复。</p>
      </Sample>
      <Sample name="进行中">
        <div className="sample-line">
          <Button look={['primary']} disabled>
            <span className="spinner" />
            正在登录…
          </Button>
        </div>
      </Sample>
      <Sample name="长文字">
        <Button>
          <span>把这条规则保存为「双低轮动 · 剩余规模小于 5 亿 · 每周五调仓」</span>
        </Button>
      </Sample>
    </Samples>
  )
}

const verdicts = [
  { worth: 'yes', trust: 'high', judged: 6 },
  { worth: 'yes', trust: 'middle', judged: 6 },
  { worth: 'unclear', trust: 'low', judged: 6 },
  { worth: 'unclear', trust: 'pending', judged: 4 },
  { worth: 'no', trust: 'moot', judged: 4 },
  { worth: 'short', trust: 'short', judged: 0 },
] as const

function Marks() {
  const [tags, setTags] = useState(['评级不低于 AA-', '剩余年限 ≥ 0.5', '成交额分位 ≥ 3%'])
  return (
    <Samples>
      <Sample name="标签">
        <div className="sample-line">
          <DemoBadge />
          <Badge>未完成，勿用于判断</Badge>
          <Badge look="brand">当前选择</Badge>
          <Badge look="ok">
            <Icon name="check" size="middle" />
            通过
          </Badge>
          <Badge look="warn">
            <Icon name="warn" size="middle" />
            强赎计数 14/15
          </Badge>
        </div>
      </Sample>
      <Sample name="两个回答">
        <div className="sample-line">
          {verdicts.map((verdict) => (
            <Chips key={verdict.worth + verdict.trust} chips={chipsOf(verdict, 6)} />
          ))}
        </div>
      </Sample>
      <Sample name="条件标签">
        <div className="sample-line">
          {tags.map((tag) => (
            <Tag key={tag} name={tag} onRemove={() => setTags(tags.filter((one) => one !== tag))}>
              {tag}
            </Tag>
          ))}
          <Tag>不可移除</Tag>
        </div>
      </Sample>
      <Sample name="名词">
        <div className="sample-line">
          <Term k="max_drawdown">最大回撤</Term>
        </div>
      </Sample>
      <Sample name="分段按钮">
        <Segments />
      </Sample>
      <Sample name="名与值">
        <KeyValues
          rows={[
            ['覆盖率', '99.5%'],
            ['未来函数', '未发现'],
            ['与「双低」相关', null],
            ['说明', '溢价率是小数，乘 100 后与价格相加；数值越低，排名越靠前'],
          ]}
        />
      </Sample>
      <Sample name="数据时间">
        <div className="sample-line">
          <span className="chip">
            <span className="dot" />
            数据 14:32:05 · 实时
          </span>
          <span className="chip">
            <span className="dot warn" />
            延迟 15 分钟
          </span>
          <span className="chip">
            <span className="dot quiet" />
            收盘 15:35
          </span>
        </div>
      </Sample>
    </Samples>
  )
}

function Segments() {
  const [value, setValue] = useState<'1y' | '3y' | 'all'>('3y')
  return (
    <Segmented
      label="区间"
      value={value}
      choices={[
        { value: '1y', label: '近1年' },
        { value: '3y', label: '近3年' },
        { value: 'all', label: '全部', disabled: true },
      ]}
      onChange={setValue}
    />
  )
}

type Key = 'holdings' | 'trades' | 'excluded' | 'notes'
const tabs: readonly Tab<Key>[] = [
  { key: 'holdings', label: '持仓', count: 10 },
  { key: 'trades', label: '成交', count: 736 },
  { key: 'excluded', label: '被剔除', count: 198 },
  { key: 'notes', label: '备注', disabled: true },
]
const panels: Record<Key, string> = {
  holdings: '持仓一览。← → 换页签，Home 与 End 到头尾。',
  trades: '成交一览。',
  excluded: '被剔除的证券与原因。',
  notes: '',
}

function TabsAndSteps() {
  const [tab, setTab] = useState<Key>('holdings')
  const [step, setStep] = useState(2)
  return (
    <Samples>
      <Sample name="页签" wide>
        <Tabs label="某日" tabs={tabs} value={tab} onChange={setTab}>
          <p className="note" style={{ padding: '12px 0' }}>
            {panels[tab]}
          </p>
        </Tabs>
      </Sample>
      <Sample name="步骤" wide>
        <Steps
          label="配置步骤"
          now={step}
          onGo={setStep}
          steps={[
            { key: 'account', title: '账户', note: '****1234' },
            { key: 'strategy', title: '策略与资金', note: '10 万元 · 等权' },
            { key: 'rehearsal', title: '模拟演练', note: '核对差异后启用' },
          ]}
        />
      </Sample>
      <Sample name="步骤，两步">
        <Steps
          label="注册步骤"
          now={0}
          steps={[
            { key: 'account', title: '账号' },
            { key: 'done', title: '完成' },
          ]}
        />
      </Sample>
    </Samples>
  )
}
