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
  /** Of a request where there are replicas: whose own writes it must see. */
  reader?: Reader
}
