import type { Kind } from '@convexa/contract/market'
import type { Website } from '@convexa/contract/system'
import { useQuery } from '@tanstack/react-query'
import { websiteQuery } from '../api/queries.ts'

/** Texts and features of this installation; until they are here, what is always true. */
export const useSite = (): Website => useQuery(websiteQuery).data ?? nothingYet

const nothingYet: Website = {
  name: '凸度量化',
  copyright: '凸度量化',
  icp: '',
  beian: '',
  maintenance: null,
  data_mode: { cb: null, stk: null },
  data_version: { cb: null, stk: null },
  features: {
    demo_login: null,
    wechat_login: false,
    wechat_pay: false,
    sms: false,
    email: false,
    ios_virtual_pay: false,
    share: false,
  },
}

export const useIsDemo = (kind: Kind): boolean => useSite().data_mode[kind] === 'demo'

/** 2022–{year}: the specification's first year. */
export const copyrightYears = (year: number): string => `2022–${year}`
