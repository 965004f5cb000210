import { calls } from '@convexa/contract/calls'
import type { User } from '@convexa/contract/user'
import { queryOptions, useQuery } from '@tanstack/react-query'
import { call } from '../../../api/client.ts'
import { Card } from '../../../ui/card.tsx'
import { Badge } from '../../../ui/tag.tsx'
import { SettingLink, SettingRow } from './setting-row.tsx'

export const credentialsQuery = queryOptions({
  queryKey: ['wechat-credentials'],
  queryFn: ({ signal }) => call(calls.wechat.credentials, undefined, { signal }),
})

/** What opens the account: each line leads to its drawer. */
export function BindingsCard({ user }: { user: User | null }) {
  if (!user)
    return (
      <Card title="登录与绑定" bare>
        <ul>
          {['手机', '邮箱', '微信', '登录密码'].map((name) => (
            <SettingRow key={name} name={name}>
              <span className="skeleton" style={{ width: 120 }} />
            </SettingRow>
          ))}
        </ul>
      </Card>
    )
  const { mobile_masked: mobile, email_masked: email, email_activated: activated, has_password: hasPassword } = user
  const act = (drawer: string, word: string, of: string) =>
    !user.demo && (
      <SettingLink to={`/personal/profile/${drawer}`} of={of}>
        {word}
      </SettingLink>
    )
  return (
    <Card title="登录与绑定" bare>
      <ul>
        <SettingRow name="手机" acts={act('mobile', mobile ? '更换' : '绑定', '手机')}>
          {mobile ?? none('未绑定')}
        </SettingRow>
        <SettingRow name="邮箱" acts={act('email', email ? (activated ? '更换' : '激活') : '绑定', '邮箱')}>
          {email ?? none('未绑定')}
          {email && <Badge look={activated ? 'ok' : 'warn'}>{activated ? '已激活' : '未激活'}</Badge>}
        </SettingRow>
        <SettingRow name="微信" acts={act('wechat', user.wechat_bound ? '解绑或换绑' : '绑定', '微信')}>
          {user.wechat_bound ? <Bound /> : none('未绑定')}
        </SettingRow>
        <SettingRow name="登录密码" acts={act('password', hasPassword ? '修改' : '设置', '登录密码')}>
          {hasPassword ? '已设置' : none('未设置')}
        </SettingRow>
      </ul>
    </Card>
  )
}

const none = (words: string) => <span className="text-3">{words}</span>

function Bound() {
  const { data } = useQuery(credentialsQuery)
  const name = data?.list_items[0]?.nickname
  return name ? `已绑定「${name}」` : '已绑定'
}
