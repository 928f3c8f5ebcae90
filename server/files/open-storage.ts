import type { Config } from '../config.ts'
import { createDiskStorage } from './disk/storage.ts'
import { createS3Storage } from './s3/storage.ts'
import type { FileStorage } from './storage.ts'

/** The store that is configured. Nothing is opened or made before it is used. */
export const openFileStorage = (config: Config): FileStorage =>
  config.s3 ? createS3Storage(config.s3) : createDiskStorage(config)
