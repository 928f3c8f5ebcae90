import { Button } from '@mantine/core'
import { Link } from '@tanstack/react-router'

/** The link from a missing page to Home. */
export function GoHome() {
  return (
    <Button variant="default" component={Link} to="/">
      Go home
    </Button>
  )
}
