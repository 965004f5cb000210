// allowed: the server computes with the engine
import { engineVersion } from '@convexa/engine'

export const version = engineVersion
