import { errorCodes } from '@convexa/contract/enums/error-code'
import { ApiError } from '../base/api-error.ts'

/** Why an api is not ready, by code. `market`: the one that is concerned. */
export const notReadyTexts = {
  stopping: () => '正在停止',
  database: () => '数据库没有响应',
  schema: () => '数据库还没有升级',
  no_market: () => '还没有行情数据',
  market_unreadable: (market: string) => `行情数据无法读取（${market}）`,
  no_worker: () => '没有可用的计算进程',
  busy: () => '请求过多',
  disk: () => '磁盘空间不足',
} as const
export type NotReadyReason = keyof typeof notReadyTexts

/** The refusal of `/readyz`. */
export const notReady = (reasons: readonly NotReadyReason[], text: string, retryAfterSeconds?: number): ApiError =>
  new ApiError(errorCodes.busy, `尚未就绪：${text}`, {
    data: { ready: false, reasons },
    ...(retryAfterSeconds !== undefined && { retryAfterSeconds }),
  })

/** The same of a process that stops, or that is held up: nothing else is looked at. */
export const notReadyNow = (reason: 'stopping' | 'busy', retryAfterSeconds?: number): ApiError =>
  notReady([reason], notReadyTexts[reason](), retryAfterSeconds)
