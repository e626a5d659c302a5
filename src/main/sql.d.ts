/** Migrations are `.sql` files, brought into the bundle as text. */
declare module '*.sql?raw' {
  const text: string
  export default text
}
