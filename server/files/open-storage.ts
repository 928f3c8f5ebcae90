import type { Config } from '../config/config.ts'
import type { FileSpace } from './disk/draft.ts'
import { createDiskStorage } from './disk/storage.ts'
import { createS3Storage } from './s3/storage.ts'
import type { FileStorage } from './storage.ts'

/**
 * The configured storage. It opens and creates nothing before it is used.
 * @param space checks that the disk may take a file; required by callers that store files
 */
export const openFileStorage = (config: Config, space?: FileSpace): FileStorage =>
  config.s3 ? createS3Storage(config.s3) : createDiskStorage(config, space)
