// What every request and job carries. Folders add the services that they use: records/context.ts, files/context.ts.
import type { Logger } from 'pino'
import type { Config } from '../config/config.ts'
import type { Databases } from './databases.ts'
import type { Reader } from './replicas/own-writes.ts'

export interface BaseContext extends Databases {
  config: Config
  log: Logger
  /** The service's clock; leases and due times use the database's. */
  clock: { now(): Date }
  /** Set for a request when there are replicas: the client whose writes its reads must include. */
  reader?: Reader
}
