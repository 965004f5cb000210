import { accountLabel } from '@convexa/contract/account'
import { type CommandRow, within } from './command-row.ts'
import { wholeNumber } from './readers.ts'

const user = { name: '用户', help: '登录账号（手机号或邮箱），或用户 ID' } as const
const passwordStdin = { flags: '--password-stdin', help: '从标准输入读密码' } as const
const act = () => import('../user.ts')

const rows: readonly CommandRow[] = [
  {
    name: 'list',
    summary: '用户列表',
    options: [
      { flags: '--offset <个>', help: '跳过的个数', read: wholeNumber(1, 999_999) },
      { flags: '--limit <个>', help: '最多显示的个数，默认 20', read: wholeNumber(1, 1_000) },
      { flags: '--state <状态>', help: '只看一种', choices: ['active', 'disabled', 'leaving'] },
    ],
    example: 'user list --state disabled',
    json: '用户',
    load: async () => (await act()).list,
  },
  { name: 'show', summary: '一个用户', args: [user], example: 'user show 13800138000', json: '用户', load: async () => (await act()).show },
  {
    name: 'create',
    summary: '建立用户',
    description: '建立用户。密码从标准输入读取（--password-stdin），否则随机生成并只显示这一次。',
    args: [{ name: '账号', help: accountLabel }],
    options: [{ flags: '--nickname <昵称>', help: '不指定时取账号的开头' }, passwordStdin],
    example: 'user create 13800138000 --nickname 小明',
    json: '用户 ID，与随机生成的密码',
    load: async () => (await act()).create,
  },
  {
    name: 'set-password',
    summary: '设置新密码，并退出该用户的全部设备',
    args: [user],
    options: [passwordStdin],
    example: 'user set-password 13800138000 --password-stdin',
    json: '退出的设备数，与随机生成的密码',
    load: async () => (await act()).setPassword,
  },
  {
    name: 'disable',
    summary: '停用用户，立即退出其全部设备',
    args: [user],
    example: 'user disable 13800138000',
    load: async () => (await act()).disable,
  },
  { name: 'enable', summary: '恢复停用的用户', args: [user], example: 'user enable 13800138000', load: async () => (await act()).enable },
  {
    name: 'grant-vip',
    summary: '赠送会员天数',
    args: [user, { name: '天数', help: '从现在或现有会员到期之时起', read: wholeNumber(1, 3_660) }],
    example: 'user grant-vip 13800138000 30',
    load: async () => (await act()).grantVip,
  },
  {
    name: 'revoke-sessions',
    summary: '退出该用户的全部设备',
    args: [user],
    example: 'user revoke-sessions 13800138000',
    load: async () => (await act()).revokeSessions,
  },
  {
    name: 'delete',
    summary: '按用户要求注销：7 天后删除，期间可撤销',
    args: [user],
    example: 'user delete 13800138000 --yes',
    destroys: () => '7 天后将删除该用户的全部内容',
    load: async () => (await act()).remove,
  },
  { name: 'restore', summary: '撤销注销', args: [user], example: 'user restore 13800138000', load: async () => (await act()).comeBack },
  {
    name: 'copy',
    summary: '取回恢复出的数据库中一个用户的策略、组合、因子与 QMT 配置',
    description:
      '把用户在另一个数据库（./convexa database serve 打印的地址）中的策略、组合、因子与 QMT 配置加到现有内容旁边：相同的不重复，重名的加“（恢复）”，QMT 配置为停用。\n订单、会员、登录与加密的账号不复制。',
    args: [user],
    options: [{ flags: '--from <地址>', help: '恢复出的数据库的地址', required: true }],
    example: 'user copy 13800138000 --from postgres://convexa@127.0.0.1:54321/convexa',
    json: '各类取回的个数',
    load: async () => (await act()).copyFrom,
  },
  {
    name: 'audit',
    summary: '审计记录',
    args: [{ ...user, optional: true, help: '只看一个用户' }],
    options: [{ flags: '--limit <条>', help: '最多显示的条数，默认 50', read: wholeNumber(1, 10_000) }],
    example: 'user audit 13800138000 --limit 10',
    json: '审计记录',
    load: async () => (await act()).auditTrail,
  },
]

/** `convexa user …`: what it takes to run a site. Each act is written to the audit table. */
export const userCommands: readonly CommandRow[] = [
  { name: 'user', summary: '管理用户', description: '查看、建立、停用用户，赠送会员天数。每个操作都记入审计表，不可更改。' },
  ...within('user', rows),
]
