// The most used ones of published lists and what people here like to type. A courtesy while typing: the server's list decides.
const common = new Set(
  `12345678 123456789 1234567890 123123123 11111111 00000000 88888888 66666666 12341234 87654321 987654321 11223344 147258369
  password password1 password123 passw0rd p@ssw0rd qwertyui qwertyuiop qwerty123 1qaz2wsx 1q2w3e4r 1q2w3e4r5t zaq12wsx asdfghjkl
  zxcvbnm123 abc12345 abcd1234 a1234567 a12345678 aa123456 aa12345678 abc123456 q1w2e3r4 iloveyou sunshine princess football baseball
  superman trustno1 welcome1 admin123 administrator letmein1 woaini520 woaini1314 5201314520 wo5201314 wang1234 zhang123 qq123456
  123qwe123 123456abc 123456aa 12345678a 123456789a 1234qwer qwer1234 asdf1234 dearbook xiazhili justdoit buzhidao iloveyou1 computer`.split(
    /\s+/,
  ),
)

/** A known one, or one letter all the way. */
export const isCommonPassword = (password: string): boolean => common.has(password.toLowerCase()) || new Set(password).size === 1
