import { accountLabels } from '@convexa/contract/account-labels'
import { count, money } from '../../../base/format.ts'
import { type Digits, type Motion, usePreferences } from '../../../state/preferences.ts'
import { Card } from '../../../ui/card.tsx'
import { Segmented } from '../../../ui/controls.tsx'
import { Switch } from '../../../ui/form/choices.tsx'
import { Row } from '../../../ui/layout.tsx'
import { densities, rises, themes } from '../look-choices.ts'
import { choose } from '../prefs.ts'
import styles from './profile.module.css'
import { SettingRow } from './setting-row.tsx'

const motions: readonly { value: Motion; label: string }[] = [
  { value: 'system', label: '跟随系统' },
  { value: 'reduced', label: '减少动效' },
]

const digitChoices: readonly { value: Digits; label: string }[] = [
  { value: 'grouped', label: '千分位' },
  { value: 'plain', label: '不分隔' },
]

/** How the app looks: here at once, and on the account for other devices. */
export function PreferencesCard({ demo }: { demo: boolean }) {
  const { theme, density, rise, motion, digits, patterns, set } = usePreferences()
  return (
    <Card title="偏好" note={demo ? '只保存在本机' : '随账号保存，换设备也一样'} bare>
      <ul>
        <SettingRow
          name="主题"
          acts={<Segmented label="主题" value={theme} choices={themes} onChange={(value) => choose('theme', value)} />}
        />
        <SettingRow
          name="表格密度"
          acts={<Segmented label="表格密度" value={density} choices={densities} onChange={(value) => choose('density', value)} />}
        />
        <SettingRow
          name={accountLabels.colors}
          acts={<Segmented label={accountLabels.colors} value={rise} choices={rises} onChange={(value) => choose('rise', value)} />}
        >
          <Row as="span" gap={12} align="stretch" className={styles.riseSample} aria-hidden="true">
            <span className="up">+1.23%</span>
            <span className="down">−0.98%</span>
          </Row>
        </SettingRow>
        <SettingRow
          name={accountLabels.number_format}
          acts={
            <Segmented
              label={accountLabels.number_format}
              value={digits}
              choices={digitChoices}
              onChange={(value) => choose('digits', value)}
            />
          }
        >
          <span className="number">
            {count(1_234_567)} 张 · {money(12_345_678)}
          </span>
        </SettingRow>
        <SettingRow
          name="动效"
          acts={<Segmented label="动效" value={motion} choices={motions} onChange={(value) => choose('motion', value)} />}
        />
        <SettingRow
          name="图表图案填充"
          acts={
            <Switch label="图表图案填充" value={patterns} onChange={(value) => set('patterns', value)}>
              {patterns ? '开' : '关'}
            </Switch>
          }
        >
          <span className="size-12 text-3">不靠颜色也能分清，保存在本机</span>
        </SettingRow>
      </ul>
    </Card>
  )
}
