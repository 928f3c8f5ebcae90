// References by value: how requests name a record by a unique value in place of its id.
import { Type } from 'typebox'

/** In addition to the data of a request that writes records. */
export const CreateMissing = Type.Boolean({
  default: false,
  description:
    'true: where a reference names a record by a unique value that none has, such as `{"domain": "acme.com"}`, the record is created with the value, together with the write',
})
