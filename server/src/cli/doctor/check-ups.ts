import { databaseCheckUps } from './database-check-ups.ts'
import type { CheckUp } from './finding.ts'
import { diskCheckUp, machineCheckUps } from './machine-check-ups.ts'
import { settingCheckUps } from './setting-check-ups.ts'
import { siteCheckUps, storeCheckUp } from './site-check-ups.ts'

/** All checks. What fails first explains what fails after it. */
export const checkUps: readonly CheckUp[] = [
  ...machineCheckUps,
  ...settingCheckUps,
  ...databaseCheckUps,
  storeCheckUp,
  diskCheckUp,
  ...siteCheckUps,
]
