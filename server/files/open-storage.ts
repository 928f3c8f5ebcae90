import type { Config } from '../config/config.ts'
import type { FileSpace } from './disk/draft.ts'
import { createDiskStorage } from './disk/storage.ts'
import { createS3Storage } from './s3/storage.ts'
import type { FileStorage } from './storage.ts'

/**
 * The store that is configured. Nothing is opened or made before it is used.
 * @param space whether the disk may take a file; only who stores none may leave it out
 */
export const openFileStorage = (config: Config, space?: FileSpace): FileStorage =>
  config.s3 ? createS3Storage(config.s3) : createDiskStorage(config, space)
