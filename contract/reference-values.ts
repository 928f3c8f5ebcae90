// References by value: requests can name a record by a unique value instead of its id.
import { Type } from 'typebox'

/** An option of requests that write records. */
export const CreateMissing = Type.Boolean({
  default: false,
  description:
    'true: if a reference uses a unique value that no record has, such as `{"domain": "acme.com"}`, a record with this value is created in the same write',
})
